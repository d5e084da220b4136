/// A list or a set of a store whose values are read again.
package protocol ValueSource<Value>: Sendable {
  associatedtype Value
  /// The values that the store has now; nil where the object that has them is gone.
  func values() throws -> [Value]?
  func report(_ error: any Error)
  /// The object that has the list or the set, and the list or the set in it.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` where it is gone.
  func part() throws -> (object: ObjectBase, part: AnyObject)
  /// The values of what ``part()`` gives, or of a later state of it.
  func values(of collection: Any) -> [Value]
}

/// The values of a list or a set, by where that is in its store.
struct StoredValues<Base: ValueCollection>: ValueSource {
  typealias Value = Base.Element

  private let path: PartPath
  private let store: Store

  /// - Throws: ``FiefError`` of code `foreignObject` for a collection that is in no store, `objectNotFound` where it is gone.
  init(_ base: Base) throws {
    guard let collection = base as? OwnedCollection, let store = collection.originStore else {
      throw FiefError(.foreignObject, "The values are of no collection in a store.", type: "\(Base.self)")
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
        "The object of the values is gone, so that they cannot be observed.",
        type: path.type.className()
      )
    }
    return (object, part)
  }

  func values(of collection: Any) -> [Value] { (collection as? Base).map { Array($0) } ?? [] }
}
