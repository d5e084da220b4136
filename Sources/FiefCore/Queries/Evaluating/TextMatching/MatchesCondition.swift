/// A condition that a text matches a full-text query.
final class MatchesCondition: RowCondition {
  private let operand: RowOperand
  private let matcher: FullTextMatcher

  init(_ operand: RowOperand, _ query: FullTextQuery) {
    self.operand = operand
    matcher = FullTextMatcher(query)
  }

  override var cost: Int { operand.cost + 500 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    guard case .text(let text) = try operand.evaluate(row, in: environment) else { return false }
    return matcher.matches(text)
  }
}
