extension Results {
  /// Returns the plan that a read would use now, without reading any object.
  ///
  /// The plan depends on the numbers of objects and index entries, so the same query may have a different
  /// plan later.
  ///
  /// ```swift
  /// print(try store.objects(Dog.self).where { $0.age > 3 }.explain())
  /// ```
  ///
  /// - Parameter use: the requested result: the objects, their number, or an aggregate of a property.
  /// - Throws: ``FiefError`` for a closed store and for an unsupported query.
  public func explain(_ use: QueryPlan.Use = .objects) throws -> QueryPlan {
    try withQuery { _, running in
      running.noteRows(1)
      return try QueryPlanner(binder: running.binder, transaction: running.environment.transaction)
        .explain(description, use)
    }
  }
}
