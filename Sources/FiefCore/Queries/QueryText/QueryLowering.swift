/// Converts the syntax of a text into the representation that all queries share. It determines which names
/// refer to collections, and to which object each name belongs.
struct QueryLowering {
  /// The maximum depth of nested quantifiers.
  static let deepest = 16

  let source: QuerySource
  let schema: QueryTextSchema

  /// A subject to which names can belong: the object of the query, or the element of a quantifier.
  struct Scope {
    /// The type of the element, or `nil` if it is unknown.
    var element: ColumnType?
    var variable: String?
  }

  struct Context {
    /// The scopes, outermost first.
    var scopes: [Scope]
    /// The scope in which names without a variable are resolved.
    var names = 0
    /// Paths whose beginning, up to a collection, has already been replaced by a quantifier.
    var begun: [Int: (scope: Int, next: Int)] = [:]
  }

  init(_ source: QuerySource, schema: QueryTextSchema) {
    self.source = source
    self.schema = schema
  }

  func description(_ sentence: QuerySentence, type: String) throws -> QueryDescription {
    let root = ColumnType(.link, target: type)
    let context = Context(scopes: [Scope(element: schema.isKnown ? root : nil)])
    var description = QueryDescription()
    description.condition = try sentence.condition.map { try condition($0, context) }
    for clause in sentence.clauses {
      switch clause {
      case .sort(let orders): description.order = try orders.map { try order($0, context) }
      case .distinct(let paths): description.distinct = try paths.map { try value($0, context).path }
      case .offset(let count): description.offset = count
      case .limit(let limit): description.limit = limit
      }
    }
    return description
  }

  /// Returns the operand that a syntax tree describes for objects of a type.
  func operand(_ syntax: QuerySyntax, type: String) throws -> QueryOperand {
    let root = ColumnType(.link, target: type)
    return try operand(syntax, Context(scopes: [Scope(element: schema.isKnown ? root : nil)])).0
  }

  private func order(_ order: QueryClause.Order, _ context: Context) throws -> QueryOrder {
    let key: QueryOrder.Key = try order.path.map { .path(try value($0, context).path) } ?? .relevance
    return QueryOrder(key, ascending: order.ascending, nils: order.nils, collation: order.collation)
  }

  /// Returns the context inside a quantifier.
  func entering(
    _ element: ColumnType?,
    variable: String? = nil,
    ownsNames: Bool = false,
    at start: Int,
    _ context: Context
  ) throws -> Context {
    guard context.scopes.count <= Self.deepest else {
      throw source.error(
        .malformedQuery,
        "The query traverses too many nested collections.",
        at: start,
        expected: "at most \(Self.deepest)"
      )
    }
    var inner = context
    inner.scopes.append(Scope(element: element, variable: variable))
    if ownsNames { inner.names = inner.scopes.count - 1 }
    return inner
  }
}
