import FiefRules

extension TreeQuery {
  /// The query, as access rules see it.
  var rules: RuleQuery {
    RuleQuery(
      order: order.map { order in
        switch order {
        case .key: .key
        case .value: .value
        case .child(let path): .child(path.text)
        }
      },
      equalTo: isEqual ? Self.value(of: start) : .null,
      startAt: isEqual ? .null : Self.value(of: start),
      endAt: isEqual ? .null : Self.value(of: end),
      limitToFirst: limit.flatMap { $0.isLast ? nil : $0.count },
      limitToLast: limit.flatMap { $0.isLast ? $0.count : nil }
    )
  }

  /// Returns the value of a bound that the range includes.
  private static func value(of bound: Bound?) -> RuleValue {
    guard let bound, bound.isIncluded else { return .null }
    return RuleValue(bound.value)
  }
}
