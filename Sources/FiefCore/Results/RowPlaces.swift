import LMDB

/// The rows of results in one state, by their places.
package protocol RowPlaces: AnyObject, Sendable {
  /// Calls a closure with the key at a place, if these rows are the answer to the query in this transaction.
  ///
  /// - Returns: what the closure has found; nil if the rows are others.
  func place(
    at index: Int,
    of description: QueryDescription,
    in transaction: LMDB.Transaction,
    _ find: (UnsafeRawBufferPointer) throws -> ObjectBase?
  ) throws -> RowPlace?
}

/// What stands at a place.
package struct RowPlace {
  /// Nil beyond the end, and for an object that is gone.
  package let object: ObjectBase?

  package init(object: ObjectBase?) {
    self.object = object
  }
}

extension Results {
  /// The object at a place of rows that are known.
  ///
  /// - Returns: nil where they are not known any more; nil in it beyond their end.
  func knownObject(at index: Int) throws -> Element?? {
    guard let known, let scope = context.currentScope as? Snapshot else { return nil }
    let transaction = try scope.liveTransaction()
    let binding = try scope.store.binding(of: elementType)
    let place = try known.place(at: index, of: description, in: transaction) {
      try scope.object(of: binding, key: $0)
    }
    guard let place else { return nil }
    return .some(place.object?.cast(to: Element.self))
  }
}
