// Conditions on links whose objects may no longer exist. A delete rule may leave such links unchanged, and
// links in embedded objects have no backlinks that a deletion could follow. Reading a dangling link gives
// nil, so a test for nil must look the object up.

extension QueryBinding {
  /// Creates a test for nil that looks up the link's object, or returns `nil` if the operand is not a link
  /// that may dangle.
  func presence(
    of operand: QueryOperand,
    _ bound: RowOperand,
    _ comparison: QueryComparison
  ) throws -> RowCondition? {
    if bound.kind == .any { return AnyPresenceCondition.make(bound, comparison) }
    guard bound.kind == .link, case .path(let path) = operand, !path.steps.isEmpty else { return nil }
    let end = try resolve(path)
    guard let table = end.table, mayDangle(try column(of: path, end)) else { return nil }
    switch comparison {
    case .equal, .lessOrEqual, .greaterOrEqual:
      return PresenceCondition(FollowSource(bound, table), isThere: false)
    case .notEqual: return PresenceCondition(FollowSource(bound, table), isThere: true)
    default: return nil
    }
  }

  /// Returns the column at which a path ends. For a key in a map this is the map's column.
  private func column(of path: QueryPath, _ end: BoundPath) throws -> (entry: ColumnEntry, table: Table)? {
    guard case .mapKey? = path.steps.last else { return end.column }
    return try resolve(QueryPath(scope: path.scope, steps: Array(path.steps.dropLast()))).column
  }

  private func mayDangle(_ column: (entry: ColumnEntry, table: Table)?) -> Bool {
    guard let (entry, table) = column, entry.type.kind == .link else { return false }
    return table.entry.isEmbedded || table.links.contains { $0.column.id == entry.id && $0.mayDangle }
  }
}
