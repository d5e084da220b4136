extension ObjectBase {
  /// Returns the key that the object has in a store, or nil for an object without a primary key that was
  /// never saved.
  ///
  /// - Throws: ``FiefError`` if a value of the primary key cannot be part of a key.
  package func key(in store: StoreCore) throws -> ObjectKey? {
    let key = try keyInQueries
    guard let key, store.tables.hasSecretKeys, let table = store.tables[Swift.type(of: self).className()]
    else { return key }
    return ObjectKey(bytes: try table.stored(key.bytes))
  }
}
