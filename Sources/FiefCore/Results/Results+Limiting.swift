extension Results {
  /// Returns the first objects, up to a number.
  ///
  /// ```swift
  /// let topTen = players.sorted(byKeyPath: "score", ascending: false).limit(10)
  /// ```
  /// The order of the method calls does not matter. A query always applies its parts in this sequence:
  /// condition, order, distinct, bounds of cursors, offset, limit. A later limit replaces an earlier one. A
  /// limit below zero counts as zero.
  public func limit(_ count: Int) -> Results { describing { $0.limit = .first(Swift.max(0, count)) } }

  /// Returns the last objects, up to a number, in the same order.
  ///
  /// ```swift
  /// // The newest twenty, the oldest of them first.
  /// let latest = messages.sorted(byKeyPath: "date").limit(toLast: 20)
  /// ```
  public func limit(toLast count: Int) -> Results { describing { $0.limit = .last(Swift.max(0, count)) } }

  /// Returns the objects after the first ones. An offset below zero counts as zero.
  ///
  /// All skipped objects are read. To find a page far down, use a cursor.
  public func offset(_ count: Int) -> Results { describing { $0.offset = Swift.max(0, count) } }
}
