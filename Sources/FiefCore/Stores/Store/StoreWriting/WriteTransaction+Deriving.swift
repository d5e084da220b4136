import LMDB

/// Derived properties of live objects.
extension WriteTransaction {
  /// Updates the derived values of an object's live instance, if it has one.
  func didDerive(_ table: Table, key: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer) throws {
    guard let object = live[IdentityMap.Key(table: table.entry.id, key: key)] else { return }
    let binding = try store.binding(of: Swift.type(of: object))
    try object.readDerived(from: try table.view(record), binding)
    object.expectDerivedReads(binding.descriptor)
  }

  /// Reads the derived values of a just-written object from the store.
  func readDerived(of object: ObjectBase) throws {
    let binding = try store.binding(of: Swift.type(of: object))
    guard let records = binding.table.records else { return }
    let transaction = try liveTransaction()
    try binding.key(of: object).withUnsafeBytes { key in
      guard let record = try transaction.get(records, key) else { return }
      try object.readDerived(from: try binding.table.view(record), binding)
    }
    object.expectDerivedReads(binding.descriptor)
  }
}
