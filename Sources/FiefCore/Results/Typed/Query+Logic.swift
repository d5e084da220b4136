extension Query where Value == Bool {
  /// Whether both hold.
  public static func && (first: Query, second: Query) -> Query {
    Query(first.term.joined(second.term) { .both($0, $1) })
  }

  /// Whether one of them holds, or both.
  public static func || (first: Query, second: Query) -> Query {
    Query(first.term.joined(second.term) { .either($0, $1) })
  }

  /// Whether it does not hold.
  public static prefix func ! (query: Query) -> Query {
    let term = query.term
    return Query(
      TypedTerm(term.scopes, level: term.level, depth: term.depth) { .not(try term.condition()) }
    )
  }

  /// The number of a collection's elements that fulfil a condition.
  ///
  /// ```swift
  /// people.where { ($0.dogs.age > 10 && $0.dogs.name == "Rex").count > 1 }
  /// ```
  /// The parts of the condition have to be about the elements of the same collection, or about the object that has it, such
  /// as a count of other elements. ``Query/subquery(_:)`` says the same with a closure.
  public var count: Query<Int> {
    Query<Int>(
      TypedTerm(term.scopes, level: term.level, .value(.null)).map { _ in
        let (collection, condition) = try term.condition().aboutElement()
        return .count(collection, condition)
      }.made(ofDepth: term.depth)
    )
  }
}
