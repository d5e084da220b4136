import LMDB

/// The rows of results in one state, accessed by index.
package protocol RowPlaces: AnyObject, Sendable {
  /// Calls a closure with the key at an index, if these rows are the result of the query in this transaction.
  ///
  /// - Returns: the object that the closure returned; `nil` if these rows are not the result of the query.
  func place(
    at index: Int,
    of description: QueryDescription,
    in transaction: LMDB.Transaction,
    _ find: (UnsafeRawBufferPointer) throws -> ObjectBase?
  ) throws -> RowPlace?
}

/// The object at an index of known rows.
package struct RowPlace {
  /// The object; `nil` if the index is out of range or the object was deleted.
  package let object: ObjectBase?

  package init(object: ObjectBase?) {
    self.object = object
  }
}

extension Results {
  /// Returns the object at an index of the rows that an observation passed to its handler.
  ///
  /// - Returns: `nil` if the rows are not known or no longer valid; an inner `nil` if the index is out of
  ///   range.
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
