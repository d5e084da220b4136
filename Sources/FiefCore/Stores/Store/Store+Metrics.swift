extension Store {
  /// The counts of reads and writes since the store was opened; all zero where it could not be opened.
  ///
  /// The reads of a `read { }` or a `write { }` are added when it ends, those of an iteration outside of them
  /// batch by batch.
  public var metrics: StoreMetrics { openedCore?.counters.current ?? StoreMetrics() }
}
