extension StoreTables {
  /// A value of a query in which the key of an object is as it is in the store; objects without a store have it in clear.
  func stored(_ value: QueryValue) throws -> QueryValue {
    guard hasSecretKeys, case .object(let type, let key?) = value, let table = self[type] else {
      return value
    }
    return .object(type: type, key: ObjectKey(bytes: try table.stored(key.bytes)))
  }
}
