extension Results {
  /// Returns the last objects, up to a number, in the same order.
  ///
  /// ```swift
  /// // The newest twenty, the oldest of them first.
  /// let latest = messages.sorted(byKeyPath: "date").limit(toLast: 20)
  /// ```
  public func limit(toLast count: Int) -> Results { describing { $0.limit = .last(Swift.max(0, count)) } }
}
