// Conditions on links that may lead to objects that do not exist any more: those that a delete rule leaves as
// they are, and those in embedded objects, which have no backlinks. Reading one gives nil, so a test for nil
// looks the object up.

extension QueryBinding {
  /// The test of a link for nil, where the link may lead to nothing; nil for any other operand and comparison.
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

  /// The column that a path ends at, which is that of the map behind a key.
  private func column(of path: QueryPath, _ end: BoundPath) throws -> (entry: ColumnEntry, table: Table)? {
    guard case .mapKey? = path.steps.last else { return end.column }
    return try resolve(QueryPath(scope: path.scope, steps: Array(path.steps.dropLast()))).column
  }

  private func mayDangle(_ column: (entry: ColumnEntry, table: Table)?) -> Bool {
    guard let (entry, table) = column, entry.type.kind == .link else { return false }
    return table.entry.isEmbedded || table.links.contains { $0.column.id == entry.id && $0.mayDangle }
  }
}
