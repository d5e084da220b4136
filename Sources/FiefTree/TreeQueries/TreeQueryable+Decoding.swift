import Fief

extension TreeQueryable {
  /// Returns the children as instances of a type, in the order of the query.
  ///
  /// ```swift
  /// struct Message: Codable {
  ///   var id: String?
  ///   var text: String
  /// }
  /// let messages = try room.queryLimited(toLast: 20).children(as: Message.self, key: \.id)
  /// ```
  /// Values are decoded as by ``TreeReference/value(as:)``.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - key: the property that receives the key of each child; `nil` to store it nowhere.
  /// - Throws: the errors of ``TreeQuery/snapshot()``; `DecodingError` if a child is no such value.
  public func children<T: Decodable>(as type: T.Type, key: WritableKeyPath<T, String?>? = nil) throws -> [T] {
    try query.snapshot().decodedChildren(as: type, key: key)
  }
}

extension TreeReader {
  /// Returns the children of a place or a query as instances of a type. See
  /// ``TreeQueryable/children(as:key:)``.
  ///
  /// - Throws: the errors of ``snapshot(of:)``; `DecodingError`.
  public func children<T: Decodable>(
    of source: some TreeQueryable,
    as type: T.Type,
    key: WritableKeyPath<T, String?>? = nil
  ) throws -> [T] {
    try snapshot(of: source.query).decodedChildren(as: type, key: key)
  }
}

extension TreeSnapshot {
  fileprivate func decodedChildren<T: Decodable>(as type: T.Type, key: WritableKeyPath<T, String?>?) throws
    -> [T]
  {
    try children.map { child in
      var value = try child.decode(as: type)
      if let key { value[keyPath: key] = child.key }
      return value
    }
  }
}
