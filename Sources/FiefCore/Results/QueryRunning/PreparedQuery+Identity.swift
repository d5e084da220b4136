extension PreparedQuery {
  /// Returns the key that identifies the first row of an object: the object's key, or its position in the
  /// collection.
  ///
  /// - Throws: ``FiefError`` of code `invalidCursor` if the object is not in the collection.
  func identity(ofObject key: ObjectKey, in running: QueryRunning) throws -> ObjectKey {
    guard hasPlaces, let members else { return key }
    guard let place = try members.place(of: key.bytes, near: 0, in: running.environment) else {
      throw FiefError(
        .invalidCursor,
        "The object has no position because it is not in the collection.",
        store: running.store.name,
        type: table.name,
        key: running.table.text(ofKey: key.bytes)
      )
    }
    return ObjectKey(bytes: MemberPlace.key(place, key.bytes))
  }
}
