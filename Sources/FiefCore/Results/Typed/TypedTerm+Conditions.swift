extension TypedTerm {
  /// Returns the operand as a condition that must hold for any element of the collections on the path.
  func condition() throws -> QueryCondition {
    var condition: QueryCondition =
      switch try operand.get() {
      case .truth(let condition): condition
      case .value(.bool(let value)): .constant(value)
      case let operand: .comparison(operand, .equal, .value(.bool(true)))
      }
    for collection in collections.reversed() { condition = .quantified(.any, collection, condition) }
    return condition
  }

  /// Creates a term for a condition that does not refer to elements of collections.
  ///
  /// - Parameter depth: the depth of the deepest term in the condition.
  init(_ scopes: TypedScopes, level: Int, depth: Int, condition body: () throws -> QueryCondition) {
    self.init(scopes, level: level, .truth(.constant(true)))
    self = map { _ in .truth(try body()) }.made(ofDepth: depth)
  }

  /// Returns a term with a condition on the operand.
  func tested(_ body: (QueryOperand) throws -> QueryCondition) -> TypedTerm {
    let term = map { .truth(try body($0)) }
    return TypedTerm(scopes, level: level, depth: depth) { try term.condition() }
  }

  /// Returns a term with a condition on two operands.
  func tested(
    with other: TypedTerm,
    _ body: (QueryOperand, QueryOperand) throws -> QueryCondition
  ) -> TypedTerm {
    let term = combined(with: other) { .truth(try body($0, $1)) }
    return TypedTerm(scopes, level: term.level, depth: max(depth, other.depth)) { try term.condition() }
  }

  func compared(
    _ comparison: QueryComparison,
    _ other: TypedTerm,
    _ options: QueryTextOptions = []
  ) -> TypedTerm {
    tested(with: other) { .comparison($0, comparison, $1, options) }
  }

  /// Returns a term that joins two conditions.
  func joined(
    _ other: TypedTerm,
    _ body: (QueryCondition, QueryCondition) -> QueryCondition
  ) -> TypedTerm {
    let level = max(level, other.level)
    var depth = max(depth, other.depth)
    let condition = Self.catching {
      let (first, second) = (try raised(to: level).condition(), try other.raised(to: level).condition())
      let condition = body(first, second)
      // A condition that extends a list of `&&` or `||` at either end is not deeper than the list.
      depth = max(
        self.depth - (first.isList(like: condition) ? 1 : 0),
        other.depth - (second.isList(like: condition) ? 1 : 0)
      )
      return condition
    }
    return TypedTerm(scopes, level: level, depth: depth) { try condition.get() }
  }

  /// Returns a term that applies a condition to the elements of this operand, which must be a collection.
  ///
  /// - Parameters:
  ///   - element: returns the condition for an element.
  ///   - body: builds an operand from the collection and the condition.
  func quantified(
    _ element: (TypedTerm) -> TypedTerm,
    _ body: (QueryCollection, QueryCondition) -> QueryOperand
  ) -> TypedTerm {
    let outer = raised(to: scopes.depth)
    let depth = scopes.depth
    scopes.depth += outer.collections.count + 1
    let level = scopes.depth
    let inner = element(TypedTerm(scopes, level: level, .path(.element))).raised(to: level)
    scopes.depth = depth
    return outer.map { _ in
      body(QueryCollection(try outer.path()), try inner.condition())
    }.made(ofDepth: max(outer.depth, inner.depth))
  }
}

extension QueryCondition {
  /// Whether both are conjunctions, or both disjunctions.
  fileprivate func isList(like other: QueryCondition) -> Bool {
    switch (self, other) {
    case (.all, .all), (.any, .any): true
    default: false
    }
  }

  /// Returns the disjunction of two conditions. A condition that already is a disjunction is extended rather
  /// than nested.
  static func either(_ first: QueryCondition, _ second: QueryCondition) -> QueryCondition {
    switch (first, second) {
    case (.any(let first), .any(let second)): .any(first + second)
    case (.any(let first), _): .any(first + [second])
    case (_, .any(let second)): .any([first] + second)
    default: .any([first, second])
    }
  }

  /// Returns the collection to which the condition refers, and the condition for a single element of it. The
  /// parts of the condition must refer to any element of this collection, or to the object that contains it.
  func aboutElement() throws -> (QueryCollection, QueryCondition) {
    guard let collection = firstCollection else { throw Self.notAboutElements }
    return (collection, try aboutElement(of: collection))
  }

  /// The collection in the first part of the condition that refers to elements.
  private var firstCollection: QueryCollection? {
    switch self {
    case .quantified(.any, let collection, _): collection
    case .not(let condition): condition.firstCollection
    case .all(let conditions), .any(let conditions): conditions.lazy.compactMap(\.firstCollection).first
    default: nil
    }
  }

  private func aboutElement(of collection: QueryCollection) throws -> QueryCondition {
    switch self {
    case .quantified(.any, collection, let condition): return condition
    case .quantified(.any, _, _): throw Self.notAboutElements
    case .not(let condition): return .not(try condition.aboutElement(of: collection))
    case .all(let conditions): return .all(try conditions.map { try $0.aboutElement(of: collection) })
    case .any(let conditions): return .any(try conditions.map { try $0.aboutElement(of: collection) })
    // A condition on the object that contains the collection, for example a count of other elements, is kept.
    default: return shifted(by: 1)
    }
  }

  private static var notAboutElements: FiefError {
    FiefError(.invalidQuery, "Only a condition on the elements of one collection can be counted.")
  }
}
