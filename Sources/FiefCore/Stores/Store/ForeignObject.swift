extension FiefError {
  /// Returns the error for an object or a collection that is used with a store to which it does not belong.
  ///
  /// - Parameters:
  ///   - message: the description if the object's store is open. If the store was deleted or closed, the
  ///     error has its own description.
  ///   - origin: the store that the object was read from.
  static func foreignObject(
    _ message: String,
    readFrom origin: StoreCore,
    in store: StoreCore,
    type: String?
  ) -> FiefError {
    FiefError(
      .foreignObject,
      origin.isClosed
        ? "The object's store was closed or deleted after it was read; read it again, or use a detached copy."
        : message,
      store: store.name,
      type: type,
      details: ["read from: \(origin.name)" + (origin.isClosed ? " (closed or deleted)" : "")]
    )
  }
}
