import Foundation

/// The answer to a query, worked out of plain objects.
struct PlainAnswer {
  let world: PlainWorld
  let isBent: Bool

  /// The objects of a query, in their order.
  ///
  /// - Throws: ``Undecided``.
  func rows(of question: QueryQuestion) throws -> [PlainRow] {
    var rows = try world.rows(question.subject).filter { row in
      try question.check.map { try QueryEvaluation(world, row, isBent: isBent).holds($0) } ?? true
    }
    var failure: (any Error)?
    rows.sort { first, second in
      do {
        for order in question.order {
          let result = try compare(first, second, order)
          if result != 0 { return result < 0 }
        }
        return try first.key.sortOrder(second.key) < 0
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    if !question.distinct.isEmpty {
      var kept: [PlainRow] = []
      for row in rows {
        let isKnown = try kept.contains { other in
          try question.distinct.allSatisfy { try isSame(value(of: row, $0.name), value(of: other, $0.name)) }
        }
        if !isKnown { kept.append(row) }
      }
      rows = kept
    }
    rows = Array(rows.dropFirst(question.offset))
    if let limit = question.limit { return Array(rows.prefix(limit)) }
    if let last = question.last { return rows.suffix(last) }
    return rows
  }

  private func isSame(_ first: PlainValue, _ second: PlainValue) throws -> Bool {
    first.isNull || second.isNull ? first.isNull == second.isNull : try first.sortOrder(second) == 0
  }

  private func value(of row: PlainRow, _ path: String) -> PlainValue {
    var value = PlainValue.row(row)
    for name in path.split(separator: ".") {
      guard case .row(let row) = value else { return .null }
      value = row.values[String(name)] ?? .null
    }
    return value
  }

  private func compare(_ first: PlainRow, _ second: PlainRow, _ order: QueryQuestion.Order) throws -> Int {
    let (one, two) = (value(of: first, order.column.name), value(of: second, order.column.name))
    if one.isNull || two.isNull {
      if one.isNull, two.isNull { return 0 }
      let isFirst =
        switch order.nils {
        case .smallest: order.isAscending
        case .first: true
        case .last: false
        }
      return one.isNull == isFirst ? -1 : 1
    }
    var result = try one.sortOrder(two)
    if order.isWithoutCase, case .text(let one) = one, case .text(let two) = two {
      result = try PlainValue.text(PlainText.folded(one, .withoutCase)).sortOrder(
        .text(PlainText.folded(two, .withoutCase))
      )
    }
    return order.isAscending ? result : -result
  }

  /// The least or the greatest value of a column; nil and what is not a number do not count.
  func extreme(_ rows: [PlainRow], _ column: String, isLeast: Bool) throws -> PlainValue {
    let values = rows.map { value(of: $0, column) }.filter { !$0.isNull && !$0.isNaN }
    guard var best = values.first else { return .null }
    for value in values where try value.sortOrder(best) * (isLeast ? 1 : -1) < 0 { best = value }
    return best
  }

  /// The sum of a column and the number of its values.
  ///
  /// - Throws: ``Undecided`` where the order in which numbers are added shows in the sum.
  func sum(_ rows: [PlainRow], _ column: QueryColumn) throws -> (sum: PlainValue, count: Int) {
    let values = rows.map { value(of: $0, column.name) }.filter { !$0.isNull }
    if column.kind.bounds != nil {
      return try (
        .integer(
          values.reduce(Int128(0)) {
            if case .integer(let value) = $1 { $0 + value } else { throw Undecided() }
          }
        ), values.count
      )
    }
    if column.kind == .decimal {
      // Sums of numbers of very different size are rounded.
      let sum = try values.reduce(Decimal(0)) { sum, value in
        guard case .decimal(let value) = value, value.magnitude < 1_000_000, value.exponent > -10 else {
          throw Undecided()
        }
        return sum + value
      }
      return (.decimal(sum), values.count)
    }
    let numbers = try values.map { value -> Double in
      guard case .double(let value) = value else { throw Undecided() }
      return value
    }
    let sizes = numbers.map(\.magnitude)
    if sizes.contains(where: { $0.isFinite && $0 > 1e6 }) { throw Undecided() }
    return (.double(numbers.reduce(0, +)), values.count)
  }
}
