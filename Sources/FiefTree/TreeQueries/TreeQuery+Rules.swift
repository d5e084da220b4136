import FiefRules

extension TreeQuery {
  /// The query, as access rules see it.
  var rules: RuleQuery {
    RuleQuery(
      order: selection.order.map { order in
        switch order {
        case .key: .key
        case .value: .value
        case .child(let path): .child(path.text)
        }
      },
      equalTo: selection.isEqual ? Self.value(of: selection.start) : .null,
      startAt: selection.isEqual ? .null : Self.value(of: selection.start),
      endAt: selection.isEqual ? .null : Self.value(of: selection.end),
      limitToFirst: selection.limit.flatMap { $0.isLast ? nil : $0.count },
      limitToLast: selection.limit.flatMap { $0.isLast ? $0.count : nil }
    )
  }

  /// Returns the value of a bound that the range includes.
  private static func value(of bound: TreeSelection.Bound?) -> RuleValue {
    guard let bound, bound.isIncluded else { return .null }
    return RuleValue(bound.value)
  }
}
