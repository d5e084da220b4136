import FiefCore

extension DatabaseConfigurable {
  /// A batch of changes of the store, which are committed together: all of them, or none.
  ///
  /// ```swift
  /// var batch = game.batch()
  /// try batch.update(Player.self, forPrimaryKey: 7, .increment(\.points, by: -10))
  /// try await batch.commit()
  /// ```
  /// Where the store could not be opened, each use of the batch throws its opening error.
  public func batch() -> WriteBatch { store().batch() }
}
