extension QueryBinder {
  /// - Throws: ``FiefError`` of code `invalidQuery` if the operand does not support the aggregate.
  func check(_ operand: RowOperand, _ aggregate: RowAggregate, _ text: String?) throws {
    if aggregate == .minimum || aggregate == .maximum { try checkOrder(of: operand) }
    switch (aggregate, operand.kind) {
    case (.count, _): return
    case (.average, .date?): return
    case (.sum, let kind?), (.average, let kind?):
      if kind.isInteger || kind == .float || kind == .double || kind == .decimal { return }
    case (.minimum, let kind?), (.maximum, let kind?):
      switch kind {
      case .bool, .data, .any, .link, .embedded, .linkingObjects: break
      default: return
      }
    default: break
    }
    throw notAggregated(text)
  }

  func notAggregated(_ text: String?) -> FiefError {
    invalid("The property's type does not support this aggregate.", property: text)
  }
}
