/// The number of quantifiers around the closure that is currently called.
///
/// There is one instance for each `where { }`. Nested closures are called within each other, on one thread.
final class TypedScopes {
  var depth = 0
}

/// The meaning of a ``Query``: an operand, and the collections on the path to it.
package struct TypedTerm {
  let scopes: TypedScopes
  /// The number of quantifiers around the paths of `collections` and `operand`. Their scope 0 is an element
  /// of the innermost quantifier. To combine terms of different levels, the lower one is raised.
  private(set) var level: Int
  /// The collections on the path. Each belongs to an element of the previous one.
  private(set) var collections: [QueryCollection] = []
  /// The operand for an element of the last collection, or an error for an unsupported expression.
  private(set) var operand: Result<QueryOperand, FiefError>
  /// The estimated depth of the operand.
  private(set) var depth = 0

  /// The maximum depth of a term. A term that a loop extends without end becomes an error, before binding or
  /// releasing it overflows the stack.
  private static let deepest = 300

  init(_ scopes: TypedScopes, level: Int, _ operand: QueryOperand) {
    self.scopes = scopes
    self.level = level
    self.operand = .success(operand)
  }

  init(_ scopes: TypedScopes, value: Any) {
    self.scopes = scopes
    level = 0
    operand = Self.catching { .value(try QueryValue(value)) }
  }

  static func catching<Value>(_ body: () throws -> Value) -> Result<Value, FiefError> {
    do { return .success(try body()) } catch let error as FiefError { return .failure(error) } catch {
      return .failure(FiefError(.invalidQuery, "The query is invalid.", underlying: error))
    }
  }

  /// Returns the same term with the depth of its deepest part set.
  func made(ofDepth depth: Int) -> TypedTerm {
    var term = self
    term.depth = depth + 1
    if depth >= Self.deepest {
      term.operand = .failure(
        FiefError(.invalidQuery, "The query is nested too deeply.", details: ["the limit: \(Self.deepest)"])
      )
    }
    return term
  }

  /// Returns the path of the operand.
  func path() throws -> QueryPath {
    guard case .path(let path) = try operand.get() else {
      throw FiefError(.invalidQuery, "Only properties support this condition.")
    }
    return path
  }

  /// Returns the same term for use at a deeper level of quantifiers.
  func raised(to level: Int) -> TypedTerm {
    let distance = level - self.level
    guard distance > 0 else { return self }
    var term = self
    term.level = level
    for index in collections.indices {
      term.collections[index] = collections[index].shifted(by: distance, above: index)
    }
    term.operand = operand.map { $0.shifted(by: distance, above: collections.count) }
    return term
  }

  /// Returns the same term with another operand at the same level.
  func map(_ body: (QueryOperand) throws -> QueryOperand) -> TypedTerm {
    var term = self
    term.operand = Self.catching { try body(try operand.get()) }
    return term.made(ofDepth: depth)
  }

  /// Returns a term whose operand combines two operands. If both terms lead through collections, it refers to
  /// any pair of elements.
  func combined(
    with other: TypedTerm,
    _ body: (QueryOperand, QueryOperand) throws -> QueryOperand
  ) -> TypedTerm {
    let level = max(level, other.level)
    var first = raised(to: level)
    // The collections of the other term are nested inside the collections of this term.
    let second = other.raised(to: level).raised(to: level + first.collections.count)
    let inner = second.collections.count
    first.collections += second.collections
    first.operand = Self.catching {
      try body(try first.operand.get().shifted(by: inner), try second.operand.get())
    }
    return first.made(ofDepth: max(depth, other.depth))
  }

  /// Returns the term for a property, or for a key of a map.
  package func step(_ body: () throws -> [QueryPath.Step]) -> TypedTerm {
    map { _ in
      let path = try path()
      return .path(QueryPath(scope: path.scope, steps: path.steps + (try body())))
    }
  }

  /// Returns the term for the elements of the operand, which is a collection.
  package func entered(_ part: QueryCollection.Part = .values) -> TypedTerm {
    var term = self
    do {
      term.collections.append(QueryCollection(try path(), part: part))
      term.operand = .success(.path(.element))
    } catch {
      term = map { _ in throw error }
    }
    return term
  }

  /// Splits off the last collection: returns the rest of the term, the collection, and the operand for its
  /// elements.
  func leavingCollection() throws -> (term: TypedTerm, collection: QueryCollection, operand: QueryOperand) {
    var term = self
    guard let collection = term.collections.popLast() else {
      throw FiefError(.invalidQuery, "Only the elements of a collection support this condition.")
    }
    return (term, collection, try operand.get())
  }

  /// Returns a term whose operand is computed from the last collection on the path.
  func leaving(_ body: (QueryCollection, QueryOperand) throws -> QueryOperand) -> TypedTerm {
    do {
      let (term, collection, operand) = try leavingCollection()
      return term.map { _ in try body(collection, operand) }
    } catch {
      return map { _ in throw error }
    }
  }
}
