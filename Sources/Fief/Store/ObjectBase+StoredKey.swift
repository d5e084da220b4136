extension ObjectBase {
  /// The key that the object has in a store; nil for one without a primary key that was never saved.
  ///
  /// - Throws: ``FiefError`` for a primary key that cannot be one.
  func key(in store: StoreCore) throws -> ObjectKey? {
    guard let key = try keyInQueries, let table = store.tables[Swift.type(of: self).className()],
      table.hasSecretKey
    else { return try keyInQueries }
    return ObjectKey(bytes: try table.stored(key.bytes))
  }
}
