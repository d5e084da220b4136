extension Query where Value == Bool {
  /// Combines two conditions with a logical AND.
  public static func && (first: Query, second: Query) -> Query {
    Query(first.term.joined(second.term) { .both($0, $1) })
  }

  /// Combines two conditions with a logical OR.
  public static func || (first: Query, second: Query) -> Query {
    Query(first.term.joined(second.term) { .either($0, $1) })
  }

  /// Negates a condition.
  public static prefix func ! (query: Query) -> Query {
    let term = query.term
    return Query(
      TypedTerm(term.scopes, level: term.level, depth: term.depth) { .not(try term.condition()) }
    )
  }

  /// The number of a collection's elements that meet a condition.
  ///
  /// ```swift
  /// people.where { ($0.dogs.age > 10 && $0.dogs.name == "Rex").count > 1 }
  /// ```
  /// All parts of the condition must refer to the elements of the same collection, or to the object that
  /// contains the collection, for example to a count of other elements. ``Query/subquery(_:)`` expresses the
  /// same with a closure.
  public var count: Query<Int> {
    Query<Int>(
      TypedTerm(term.scopes, level: term.level, .value(.null)).map { _ in
        let (collection, condition) = try term.condition().aboutElement()
        return .count(collection, condition)
      }.made(ofDepth: term.depth)
    )
  }
}
