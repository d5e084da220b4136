extension PreparedQuery {
  /// What the first row of an object is known by.
  ///
  /// - Throws: ``FiefError`` of code `invalidCursor` where it has no place in the collection.
  func identity(ofObject key: ObjectKey, in running: QueryRunning) throws -> ObjectKey {
    guard hasPlaces, let members else { return key }
    guard let place = try members.place(of: key.bytes, near: 0, in: running.environment) else {
      throw FiefError(
        .invalidCursor,
        "The object is not in the collection, so that it has no place there.",
        store: running.store.name,
        type: table.name,
        key: running.table.text(ofKey: key.bytes)
      )
    }
    return ObjectKey(bytes: MemberPlace.key(place, key.bytes))
  }
}
