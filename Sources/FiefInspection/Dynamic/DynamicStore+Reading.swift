import FiefCore

extension DynamicStore {
  /// Returns the number of objects of a type.
  ///
  /// - Throws: ``FiefError`` of code `unknownType`; `invalidValue` if the type is embedded.
  public func count(of typeName: String) throws -> Int { try read { try $0.count(of: typeName) } }

  /// Returns the object with a key, or `nil` if it does not exist; see
  /// ``DynamicSnapshot/object(ofType:forKey:)``.
  public func object(ofType typeName: String, forKey key: Any) throws -> DynamicObject? {
    try read { try $0.object(ofType: typeName, forKey: key) }
  }

  /// Returns the objects that link to an object; see ``DynamicSnapshot/objects(linkingTo:forKey:)``.
  public func objects(linkingTo typeName: String, forKey key: Any) throws -> [DynamicSnapshot.Backlinks] {
    try read { try $0.objects(linkingTo: typeName, forKey: key) }
  }

  /// Calls a closure with each object of a type in key order, all from one state of the store; see
  /// ``DynamicSnapshot/forEach(ofType:after:limit:onDamage:_:)``.
  public func forEach(
    ofType typeName: String,
    after: ObjectKey? = nil,
    limit: Int? = nil,
    _ body: (DynamicObject) throws -> Void
  ) throws {
    try read { try $0.forEach(ofType: typeName, after: after, limit: limit, body) }
  }
}
