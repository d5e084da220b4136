import Fief
import Foundation

/// A query with all its clauses, and what else is asked of its results.
struct QueryQuestion {
  struct Order {
    var column: QueryColumn
    var isAscending: Bool
    var nils: PropertyOrder.Nils
    var isWithoutCase: Bool

    var text: String {
      let nils =
        switch nils {
        case .smallest: ""
        case .first: " NULLS FIRST"
        case .last: " NULLS LAST"
        }
      return column.name + (isWithoutCase ? "[c]" : "") + (isAscending ? "" : " DESC") + nils
    }
  }

  var subject: QuerySubject
  var check: QueryCheck?
  var order: [Order] = []
  var distinct: [QueryColumn] = []
  var offset = 0
  var limit: Int?
  var last: Int?
  var usesArguments = false
  /// The size of the pages in which the results are gone through; 0 for none.
  var pageSize = 0
  /// The column whose least and greatest value, sum and mean are asked for.
  var aggregated: QueryColumn?

  init(subject: QuerySubject) { self.subject = subject }

  var text: QueryText { QueryText(check ?? .constant(true), usesArguments: usesArguments) }

  /// The clauses behind the condition.
  var clauses: String {
    var clauses = ""
    if !order.isEmpty { clauses += " SORT(\(order.map(\.text).joined(separator: ", ")))" }
    if !distinct.isEmpty { clauses += " DISTINCT(\(distinct.map(\.name).joined(separator: ", ")))" }
    if offset > 0 { clauses += " OFFSET(\(offset))" }
    if let limit { clauses += " LIMIT(\(limit))" }
    if let last { clauses += " LAST(\(last))" }
    return clauses
  }

  /// Questions with one part less, for the smallest that fails.
  var smaller: [QueryQuestion] {
    var all: [QueryQuestion] = []
    func add(_ change: (inout QueryQuestion) -> Void) {
      var question = self
      change(&question)
      all.append(question)
    }
    if check != nil { add { $0.check = nil } }
    if !order.isEmpty { for index in order.indices { add { $0.order.remove(at: index) } } }
    if !distinct.isEmpty { for index in distinct.indices { add { $0.distinct.remove(at: index) } } }
    if offset > 0 { add { $0.offset = 0 } }
    if limit != nil { add { $0.limit = nil } }
    if last != nil { add { $0.last = nil } }
    if pageSize > 0 { add { $0.pageSize = 0 } }
    if aggregated != nil { add { $0.aggregated = nil } }
    if usesArguments { add { $0.usesArguments = false } }
    for smaller in check?.smaller ?? [] { add { $0.check = smaller } }
    return all
  }
}

extension QueryQuestion: CustomStringConvertible {
  var description: String {
    let text = text
    return "\(subject == .target ? "Target" : "Item"): \(text.text)\(clauses)"
      + (text.arguments.isEmpty ? "" : " with \(text.arguments.map(Self.shown))")
      + (pageSize > 0 ? ", pages of \(pageSize)" : "")
      + (aggregated.map { ", aggregates of \($0.name)" } ?? "")
  }

  /// An argument as text; Foundation traps where it describes a date that is not a number.
  private static func shown(_ argument: Any) -> String {
    switch argument {
    case let date as Date: "date \(date.timeIntervalSinceReferenceDate)"
    case let values as [Any]: "[\(values.map(shown).joined(separator: ", "))]"
    default: "\(argument)"
    }
  }
}

extension QueryCheck {
  /// Conditions with one part less.
  fileprivate var smaller: [QueryCheck] {
    switch self {
    case .not(let check): [check] + check.smaller.map { .not($0) }
    case .and(let checks): checks + Self.smaller(checks).map { .and($0) }
    case .or(let checks): checks + Self.smaller(checks).map { .or($0) }
    case .oneOf(let term, let values, let options):
      values.indices.map { index in
        var values = values
        values.remove(at: index)
        return .oneOf(term, values, options)
      }
    case .quantified(let quantifier, let place, let check):
      check.smaller.map { .quantified(quantifier, place, $0) }
    case .matches(let place, let parts) where parts.count > 1:
      parts.map { .matches(place, [$0]) }
    case .compare(let first, let relation, let second, let options):
      first.smaller.map { .compare($0, relation, second, options) }
        + second.smaller.map { .compare(first, relation, $0, options) }
    default: []
    }
  }

  /// Each list without one of its conditions, and with one that is smaller.
  private static func smaller(_ checks: [QueryCheck]) -> [[QueryCheck]] {
    checks.indices.flatMap { index -> [[QueryCheck]] in
      var fewer = checks
      fewer.remove(at: index)
      let others = checks[index].smaller.map { smaller in
        var checks = checks
        checks[index] = smaller
        return checks
      }
      return (checks.count > 2 ? [fewer] : []) + others
    }
  }
}

extension QueryTerm {
  fileprivate var smaller: [QueryTerm] {
    switch self {
    case .arithmetic(let first, let sign, let second):
      [first, second] + first.smaller.map { .arithmetic($0, sign, second) }
        + second.smaller.map { .arithmetic(first, sign, $0) }
    case .negative(let term): [term]
    case .lowered(let term), .raised(let term): [term]
    case .coalesced(let first, let second): [first, second]
    case .chosen(let check, let first, let second):
      [first, second] + check.smaller.map { .chosen($0, first, second) }
    case .countWhere(let place, let check): [.count(place)] + check.smaller.map { .countWhere(place, $0) }
    default: []
    }
  }
}
