/// The values of an aggregate, bound to columns: one of each row, or of each element of nested collections.
/// It belongs to one run at a time.
final class BoundValues {
  let operand: RowOperand
  /// The collections on the path, the outermost first.
  let scopes: [ElementScope]
  /// Whether elements that are objects are counted: none of them is looked up.
  private let countsObjects: Bool

  /// - Throws: ``FiefError`` for an unsupported expression, and for values that have no such aggregate.
  convenience init(_ values: AggregatedValues, for aggregate: RowAggregate, _ binder: QueryBinder) throws {
    try self.init(try binder.parts(of: values), values.text, for: aggregate, binder)
  }

  /// - Parameter text: the names, for people.
  /// - Throws: as the other one.
  init(_ parts: AggregatedParts, _ text: String?, for aggregate: RowAggregate, _ binder: QueryBinder) throws {
    (scopes, operand) = try QueryBinding(binder).operand(parts.operand, in: parts.collections[...])
    try binder.check(operand, aggregate, text)
    countsObjects = aggregate == .count && !scopes.isEmpty && operand is SelfOperand
  }

  /// - Parameter operand: what each row has one value of, and has been found to have the aggregate.
  init(_ operand: RowOperand) {
    self.operand = operand
    scopes = []
    countsObjects = false
  }

  /// Adds the values of a row.
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

  /// Calls `body` with the row of each element of the last of some scopes.
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
