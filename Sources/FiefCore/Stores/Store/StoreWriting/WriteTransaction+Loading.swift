import LMDB

/// The live instances of objects.
extension WriteTransaction {
  /// Returns the live instance of an object that was read elsewhere. Returns nil if the object is already
  /// live or does not exist, or if it has unsaved assignments.
  func liveInstance(of object: ObjectBase) -> ObjectBase? {
    guard object._context !== context, let binding = try? store.binding(of: Swift.type(of: object)),
      !object.hasAssignedProperties(binding.descriptor), let key = try? binding.key(of: object)
    else { return nil }
    return try? key.withUnsafeBytes { try self.object(of: binding, key: $0) }
  }

  func makeLive(_ object: ObjectBase, _ binding: ObjectBinding, _ id: IdentityMap.Key) {
    _ = live.insert(object, for: id)
    if binding.table.hasDerived { object.expectDerivedReads(binding.descriptor) }
  }

  /// Makes an object that has joined the transaction the live instance, or an alias of it.
  func makeLive(_ object: ObjectBase, _ id: IdentityMap.Key) {
    guard let known = live[id], known !== object else {
      _ = live.insert(object, for: id)
      return
    }
    aliases.insert(object, besides: known, id)
    object._isShared = true
    known._isShared = true
  }

  /// Returns an instance of the stored object with a key that is not live, or nil if the object does not
  /// exist. The instance includes waiting changes.
  ///
  /// - Parameter id: the identity of the live instance; nil if it is known to have no waiting changes.
  func freshInstance(_ binding: ObjectBinding, _ key: [UInt8], _ id: IdentityMap.Key?) throws -> ObjectBase? {
    let transaction = try liveTransaction()
    return try key.withUnsafeBytes { key in
      if !activity.contains(.decoding), let id, live[id] != nil { try flush() }
      if let object = try load(binding, key, transaction) { return object }
      if id == nil || activity.contains(.decoding) || changed.isEmpty { return nil }
      try flush()
      return try load(binding, key, transaction)
    }
  }

  /// Makes an object belong to the store as soon as an object of this thread's write links it, instead of at
  /// the next look-up.
  static func bringIn(_ object: ObjectBase) {
    for write in WritingThreads.scopes where object._context?.store == nil && write.failure == nil {
      do { _ = try write.flushSharing() } catch { write.fail(error) }
    }
  }

  func load(
    _ binding: ObjectBinding,
    _ key: UnsafeRawBufferPointer,
    _ transaction: LMDB.Transaction
  ) throws -> ObjectBase? {
    tally.lookups &+= 1
    if writer.waiting != nil, binding.table.hasDerived, !activity.contains(.decoding) {
      try writer.flushTrees()
    }
    var bytes = 0
    let object = try decoding {
      try store.load(binding, key: key, from: transaction, context: context, bytes: &bytes)
    }
    if object != nil {
      tally.objects &+= 1
      costs.add(binding.table, bytes: bytes)
    }
    return object
  }

  /// Decodes an object from bytes in a page. Its `init()` belongs to the application and may read the store.
  /// Waiting changes are not written meanwhile, because the page would move under the bytes.
  func decoding<Value>(_ body: () throws -> Value) rethrows -> Value { try during(.decoding, body) }
}
