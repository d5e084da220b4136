extension Cursor {
  /// The current entry and those that follow it in its page; the cursor then stands on the last of them.
  ///
  /// - Returns: nil where the cursor stands nowhere.
  public func run() throws(LMDBError) -> LeafRun? {
    key.isEmpty ? nil : LeafRun(key: key, value: value)
  }

  /// The entries that follow the current one, as many as are in one page; the cursor then stands on the last
  /// of them. From nowhere it is the first page.
  ///
  /// - Returns: nil at the end.
  public func nextRun() throws(LMDBError) -> LeafRun? { try next() ? try run() : nil }

  /// The current entry and those before it in its page, in the order of their keys; the cursor then stands
  /// on the first of them.
  ///
  /// - Returns: nil where the cursor stands nowhere.
  public func runBackward() throws(LMDBError) -> LeafRun? {
    key.isEmpty ? nil : LeafRun(key: key, value: value)
  }

  /// The entries before the current one, as many as are in one page, in the order of their keys; the cursor
  /// then stands on the first of them. From nowhere it is the last page.
  ///
  /// - Returns: nil at the beginning.
  public func previousRun() throws(LMDBError) -> LeafRun? { try previous() ? try runBackward() : nil }
}
