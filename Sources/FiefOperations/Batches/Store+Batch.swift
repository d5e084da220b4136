import FiefCore

extension Store {
  /// A batch of changes, which are committed together: all of them, or none.
  ///
  /// ```swift
  /// var batch = store.batch()
  /// try batch.update(Player.self, forPrimaryKey: 7, .increment(\.points, by: -10))
  /// try await batch.commit()
  /// ```
  /// Where the store could not be opened, each use of the batch throws ``openingError``.
  public func batch() -> WriteBatch { WriteBatch(self) }
}
