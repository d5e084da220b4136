extension FiefError {
  /// The error of an object, or a collection, that belongs to another store than the one it is used with.
  ///
  /// - Parameters:
  ///   - message: the description for a store that is there; one that was deleted or closed has its own.
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
        ? "The object was read from a store that was closed or deleted since; read it again, or use a detached copy."
        : message,
      store: store.name,
      type: type,
      details: ["read from: \(origin.name)" + (origin.isClosed ? " (closed or deleted)" : "")]
    )
  }
}
