import FiefCore

extension Store {
  /// Returns a new batch of changes. Either all of its changes are committed, or none.
  ///
  /// ```swift
  /// var batch = store.batch()
  /// try batch.update(Player.self, forPrimaryKey: 7, .increment(\.points, by: -10))
  /// try await batch.commit()
  /// ```
  /// If the store could not be opened, every use of the batch throws ``openingError``.
  public func batch() -> WriteBatch { WriteBatch(self) }
}
