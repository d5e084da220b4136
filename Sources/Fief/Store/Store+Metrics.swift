extension Store {
  /// What was read from and written to the store since it was opened; all zero where it could not be opened.
  ///
  /// What a `read { }` or a `write { }` reads is added when it ends, what an iteration outside of them reads batch by
  /// batch.
  public var metrics: StoreMetrics { openedCore?.counters.current ?? StoreMetrics() }
}
