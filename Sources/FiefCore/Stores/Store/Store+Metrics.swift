extension Store {
  /// The counts of reads and writes since the store was opened. All are zero if the store could not be
  /// opened.
  ///
  /// The reads of a `read { }` or a `write { }` are added when it ends. The reads of an iteration outside of
  /// them are added batch by batch.
  public var metrics: StoreMetrics { openedCore?.counters.current ?? StoreMetrics() }
}
