import LMDB

/// Derived properties in objects.
extension ObjectBase {
  /// Reads the derived properties from a record. Afterwards they are not assigned.
  func readDerived(from view: RecordView, _ binding: ObjectBinding) throws {
    try withFields { base in
      for property in binding.descriptor.derivedProperties {
        guard let column = binding.table.entry.column(named: property.column) else { continue }
        let field = base + property.offset
        try binding.table.payload(of: column, in: view) { payload in
          if let payload {
            var reader = ValueReader(payload, context: nil)
            try property.field.read(field, from: &reader)
          } else {
            _ = property.field.setNil(field)
          }
        }
        let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
        let kept = flags & ~(PersistedFlags.assigned | PersistedFlags.firstRead)
        base.storeBytes(of: kept, toByteOffset: property.flagsOffset, as: UInt8.self)
      }
    }
  }
}

extension ObjectGraph {
  /// Updates the derived properties of the objects after the commit.
  ///
  /// Derived properties that cannot be read keep their values, and the failure is reported to the event
  /// handler, because the save itself has succeeded.
  func readDerived() {
    guard store.tables.hasDerived, changes.tables.contains(where: \.hasDerived) else { return }
    do {
      try store.read { transaction in
        forEachObject { object, descriptor in
          guard !descriptor.derivedProperties.isEmpty else { return }
          do { try readDerived(object, in: transaction) } catch {
            store.report(error, type: descriptor.name, property: nil)
          }
        }
      }
    } catch { store.report(error, type: nil, property: nil) }
  }

  private func readDerived(_ object: ObjectBase, in transaction: LMDB.Transaction) throws {
    let binding = try knownClass(of: object).binding
    guard let records = binding.table.records else { return }
    try binding.key(of: object).withUnsafeBytes { key in
      guard let record = try transaction.get(records, key) else { return }
      try object.readDerived(from: try binding.table.view(record), binding)
    }
  }
}
