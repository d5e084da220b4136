extension ObjectContext {
  /// Returns the key of an object of a type in this store, or nil if it has none yet.
  func key(of object: ObjectBase, as type: ObjectBase.Type?) -> [UInt8]? {
    guard let store, Swift.type(of: object) == type,
      let binding = try? store.binding(of: Swift.type(of: object)),
      !binding.primaryKey.isEmpty || object._rowID != 0
    else { return nil }
    return try? binding.key(of: object)
  }
}
