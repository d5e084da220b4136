import Foundation

extension RowValue {
  /// The relation of two values.
  enum Relation {
    case less, equal, greater
    /// The values cannot be ordered: one of them is nil or NaN, or their kinds cannot be compared, such as a
    /// number and a text.
    case unrelated
  }

  /// Whether a comparison holds between two values, without folding.
  @inline(__always)
  static func holds(_ first: RowValue, _ comparison: QueryComparison, _ second: RowValue) -> Bool {
    switch comparison {
    case .equal: return first.relation(to: second) == .equal
    case .notEqual: return first.relation(to: second) != .equal
    case .less: return first.relation(to: second) == .less
    case .greater: return first.relation(to: second) == .greater
    case .lessOrEqual:
      let relation = first.relation(to: second)
      return relation == .less || relation == .equal
    case .greaterOrEqual:
      let relation = first.relation(to: second)
      return relation == .greater || relation == .equal
    case .contains, .beginsWith, .endsWith, .like:
      switch (first, second) {
      case (.text(let first), .text(let second)), (.data(let first), .data(let second)):
        return ByteSearch.holds(first, comparison, second)
      default: return false
      }
    }
  }

  /// Returns the relation of this value to another. Nil equals nil.
  func relation(to other: RowValue) -> Relation {
    switch (self, other) {
    case (.null, .null): .equal
    case (.integer(let first), .integer(let second)): Self.relation(first, second)
    case (.double(let first), .double(let second)): Self.relation(first, second)
    case (.text(let first), .text(let second)), (.data(let first), .data(let second)),
      (.uuid(let first), .uuid(let second)), (.objectId(let first), .objectId(let second)),
      (.embedded(let first), .embedded(let second)):
      Self.relation(first.compare(second), 0)
    // Lists and dictionaries have no order.
    case (.nested(let first), .nested(let second)): first.hasSameBytes(as: second) ? .equal : .unrelated
    case (.date(let first), .date(let second)): Self.relation(first, second)
    case (.bool(let first), .bool(let second)): Self.relation(first ? 1 : 0, second ? 1 : 0)
    case (.object(let type, let first), .object(let otherType, let second)):
      type == otherType ? Self.relation(first.compare(second), 0) : .unrelated
    case (.integer, .double), (.double, .integer), (.decimal, _), (_, .decimal):
      numberRelation(to: other)
    default: .unrelated
    }
  }

  @inline(__always)
  private static func relation<Value: Comparable>(_ first: Value, _ second: Value) -> Relation {
    if first < second { return .less }
    if first == second { return .equal }
    return first > second ? .greater : .unrelated
  }

  @inline(never)
  private func numberRelation(to other: RowValue) -> Relation {
    switch (self, other) {
    case (.integer(let first), .double(let second)): Self.relation(ExactNumbers.compare(first, second))
    case (.double(let first), .integer(let second)):
      Self.relation(ExactNumbers.compare(second, first).map { -$0 })
    case (.decimal(let first), .decimal(let second)):
      first.isNaN || second.isNaN ? .unrelated : Self.relation(ExactNumbers.compare(first, second))
    case (.decimal(let first), .integer(let second)):
      first.isNaN ? .unrelated : Self.relation(ExactNumbers.compare(first, second))
    case (.integer(let first), .decimal(let second)):
      second.isNaN ? .unrelated : Self.relation(-ExactNumbers.compare(second, first))
    case (.decimal(let first), .double(let second)): Self.relation(ExactNumbers.compare(first, second))
    case (.double(let first), .decimal(let second)):
      Self.relation(ExactNumbers.compare(second, first).map { -$0 })
    default: .unrelated
    }
  }

  private static func relation(_ order: Int?) -> Relation {
    guard let order else { return .unrelated }
    return order < 0 ? .less : order == 0 ? .equal : .greater
  }
}
