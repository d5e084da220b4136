import FiefCore

extension StoreAccess {
  /// Returns a new batch of changes. Either all of its changes are committed, or none.
  ///
  /// ```swift
  /// var batch = game.batch()
  /// try batch.update(Player.self, forPrimaryKey: 7, .increment(\.points, by: -10))
  /// try await batch.commit()
  /// ```
  /// If the store could not be opened, every use of the batch throws the error from opening it.
  public func batch() -> WriteBatch { WriteBatch(store()) }
}
