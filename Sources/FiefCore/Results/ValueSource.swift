/// A list or set in a store whose values can be read again.
package protocol ValueSource<Value>: Sendable {
  associatedtype Value
  /// Returns the current values in the store, or `nil` if the object with the collection was deleted.
  func values() throws -> [Value]?
  func report(_ error: any Error)
  /// Returns the object that contains the collection, and the collection itself.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if the object was deleted.
  func part() throws -> (object: ObjectBase, part: AnyObject)
  /// Returns the values of a collection that ``part()`` returned, or of a later state of it.
  func values(of collection: Any) -> [Value]
}

/// The values of a list or set, found through the path to the collection in its store.
struct StoredValues<Base: ValueCollection>: ValueSource {
  typealias Value = Base.Element

  private let path: PartPath
  private let store: Store

  /// - Throws: ``FiefError`` of code `foreignObject` if the collection is not in a store, `objectNotFound` if
  ///   its object was deleted.
  init(_ base: Base) throws {
    guard let collection = base as? OwnedCollection, let store = collection.originStore else {
      throw FiefError(.foreignObject, "The values belong to no stored collection.", type: "\(Base.self)")
    }
    path = try PartPath(to: collection)
    self.store = store
  }

  func values() throws -> [Value]? { try (path.find(in: store) as? Base).map { Array($0) } }

  func report(_ error: any Error) { store.report(error, of: path.type) }

  func part() throws -> (object: ObjectBase, part: AnyObject) {
    guard let object = try path.findObject(in: store), let part = try path.part(of: object) else {
      throw FiefError(
        .objectNotFound,
        "The values cannot be observed because their object was deleted.",
        type: path.type.className()
      )
    }
    return (object, part)
  }

  func values(of collection: Any) -> [Value] { (collection as? Base).map { Array($0) } ?? [] }
}
