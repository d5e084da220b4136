extension ObjectBase {
  /// The key that the object has in a store; nil for one without a primary key that was never saved.
  ///
  /// - Throws: ``FiefError`` for a primary key that cannot be one.
  package func key(in store: StoreCore) throws -> ObjectKey? {
    let key = try keyInQueries
    guard let key, store.tables.hasSecretKeys, let table = store.tables[Swift.type(of: self).className()]
    else { return key }
    return ObjectKey(bytes: try table.stored(key.bytes))
  }
}
