import FiefCore

extension DynamicStore {
  /// The number of objects of a type.
  ///
  /// - Throws: ``FiefError`` of code `unknownType`; `invalidValue` for an embedded type.
  public func count(of typeName: String) throws -> Int { try read { try $0.count(of: typeName) } }

  /// The object with a key, nil where there is none; see ``DynamicSnapshot/object(ofType:forKey:)``.
  public func object(ofType typeName: String, forKey key: Any) throws -> DynamicObject? {
    try read { try $0.object(ofType: typeName, forKey: key) }
  }

  /// The objects that link an object; see ``DynamicSnapshot/objects(linkingTo:forKey:)``.
  public func objects(linkingTo typeName: String, forKey key: Any) throws -> [DynamicSnapshot.Backlinks] {
    try read { try $0.objects(linkingTo: typeName, forKey: key) }
  }

  /// Calls a closure with each object of a type in the order of the keys, all of one state of the store; see
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
