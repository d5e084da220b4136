extension StoreTables {
  /// Returns a value in which an object's key has its stored form. Keys of objects without a store are in
  /// clear.
  func stored(_ value: QueryValue) throws -> QueryValue {
    guard hasSecretKeys, case .object(let type, let key?) = value, let table = self[type] else {
      return value
    }
    return .object(type: type, key: ObjectKey(bytes: try table.stored(key.bytes)))
  }
}
