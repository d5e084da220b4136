/// The values of an aggregate, bound to columns: one value of each row, or of each element of nested
/// collections. An instance is used by one run at a time.
final class BoundValues {
  let operand: RowOperand
  /// The collections on the path, outermost first.
  let scopes: [ElementScope]
  /// Whether only elements that are objects are counted, which requires no lookup of the objects.
  private let countsObjects: Bool

  /// - Throws: ``FiefError`` if the expression is not supported or the values do not support the aggregate.
  convenience init(_ values: AggregatedValues, for aggregate: RowAggregate, _ binder: QueryBinder) throws {
    try self.init(try binder.parts(of: values), values.text, for: aggregate, binder)
  }

  /// - Parameter text: the readable form of the names, for messages.
  /// - Throws: ``FiefError`` if the expression is not supported or the values do not support the aggregate.
  init(_ parts: AggregatedParts, _ text: String?, for aggregate: RowAggregate, _ binder: QueryBinder) throws {
    (scopes, operand) = try QueryBinding(binder).operand(parts.operand, in: parts.collections[...])
    try binder.check(operand, aggregate, text)
    countsObjects = aggregate == .count && !scopes.isEmpty && operand is SelfOperand
  }

  /// - Parameter operand: an operand with one value for each row. The caller has checked that it supports the
  ///   aggregate.
  init(_ operand: RowOperand) {
    self.operand = operand
    scopes = []
    countsObjects = false
  }

  /// Adds the values of a row to the aggregate.
  func add(_ row: QueryRow, to fold: inout RowFold, in environment: QueryEnvironment) throws {
    if scopes.isEmpty { return try fold.add(operand, row, in: environment) }
    if countsObjects {
      let last = scopes.count - 1
      try forEachElement(row, of: 0..<last, in: environment) {
        fold.add(integers: 0, count: try scopes[last].count($0, in: environment))
      }
    } else {
      try forEachElement(row, of: scopes.indices, in: environment) {
        try fold.add(operand, $0, in: environment)
      }
    }
  }

  /// Calls `body` with the row of each element of the innermost of the given collections.
  func forEachElement(
    _ row: QueryRow,
    of levels: Range<Int>,
    in environment: QueryEnvironment,
    _ body: (QueryRow) throws -> Void
  ) throws {
    guard let level = levels.first else { return try body(row) }
    try scopes[level].forEach(row, in: environment) { element in
      try forEachElement(element, of: levels.dropFirst(), in: environment, body)
      return true
    }
  }
}
