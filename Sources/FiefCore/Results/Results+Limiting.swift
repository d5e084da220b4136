extension Results {
  /// At most so many of the objects, the first ones.
  ///
  /// ```swift
  /// let topTen = players.sorted(byKeyPath: "score", ascending: false).limit(10)
  /// ```
  /// A query is one description, whatever the order in which its parts were asked for: the condition, then order,
  /// distinct, the bounds of cursors, offset and limit. The last limit that was asked for counts. A limit below
  /// zero is zero.
  public func limit(_ count: Int) -> Results { describing { $0.limit = .first(Swift.max(0, count)) } }

  /// At most so many of the objects, the last ones, in the same order.
  ///
  /// ```swift
  /// // The newest twenty, the oldest of them first.
  /// let latest = messages.sorted(byKeyPath: "date").limit(toLast: 20)
  /// ```
  public func limit(toLast count: Int) -> Results { describing { $0.limit = .last(Swift.max(0, count)) } }

  /// The objects without so many of the first ones; an offset below zero is zero.
  ///
  /// All skipped objects are read; a page far down is found faster by a cursor.
  public func offset(_ count: Int) -> Results { describing { $0.offset = Swift.max(0, count) } }
}
