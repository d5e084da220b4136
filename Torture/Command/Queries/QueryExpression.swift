import Fief
import Foundation

/// A condition of a random query.
indirect enum QueryCheck {
  enum Relation: String, CaseIterable, Sendable {
    case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case contains = "CONTAINS", begins = "BEGINSWITH", ends = "ENDSWITH", like = "LIKE"

    static let ordered: [Relation] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    var isOfTexts: Bool { self == .contains || self == .begins || self == .ends || self == .like }
  }

  enum Quantifier: String, CaseIterable, Sendable { case any = "ANY", all = "ALL", none = "NONE" }

  case constant(Bool)
  case not(QueryCheck)
  case and([QueryCheck])
  case or([QueryCheck])
  case compare(QueryTerm, Relation, QueryTerm, PlainText.Options)
  case oneOf(QueryTerm, [PlainValue], PlainText.Options)
  case between(QueryTerm, PlainValue, PlainValue)
  /// A condition about the elements of a collection.
  case quantified(Quantifier, QueryPlace, QueryCheck)
  /// A comparison of what a path through a collection leads to: `ANY links.a > 3`, or without `ANY`.
  case through(Quantifier?, QueryPlace, Relation, QueryTerm, PlainText.Options)
  case matches(QueryPlace, [PlainText.TextPart])
}

/// An operand of a condition.
indirect enum QueryTerm {
  enum Function: String, CaseIterable, Sendable { case min, max, sum, avg }

  case value(PlainValue)
  case place(QueryPlace)
  case arithmetic(QueryTerm, String, QueryTerm)
  case negative(QueryTerm)
  case count(QueryPlace)
  case countWhere(QueryPlace, QueryCheck)
  /// An aggregate of the elements of a collection, or of a property of each.
  case aggregate(Function, QueryPlace)
  case length(QueryTerm)
  case lowered(QueryTerm)
  case raised(QueryTerm)
  case coalesced(QueryTerm, QueryTerm)
  case chosen(QueryCheck, QueryTerm, QueryTerm)
}

/// A path from the object of a scope; scope 0 is the innermost one.
struct QueryPlace {
  enum Step {
    case name(String)
    case key(String)
    case keys
    /// The items whose link leads to the target.
    case origins
  }

  var scope = 0
  var steps: [Step] = []
  /// The column that the path ends at, where that is one of values.
  var column: QueryColumn?
  /// What the elements are, where the path is a collection.
  var element: QuerySubject?
  /// For a path through a collection: the steps that lead to it.
  var collectionSteps = 0

  func then(_ step: Step) -> QueryPlace {
    var place = self
    place.steps.append(step)
    return place
  }
}

// MARK: Text

/// The text of a query and its arguments.
struct QueryText {
  private(set) var text = ""
  private(set) var arguments: [Any] = []
  /// Whether values are arguments where they can be.
  let usesArguments: Bool

  init(_ check: QueryCheck, usesArguments: Bool) {
    self.usesArguments = usesArguments
    append(check, 0)
  }

  private mutating func append(_ check: QueryCheck, _ depth: Int) {
    func inParentheses(_ check: QueryCheck, _ text: inout QueryText) {
      text.text += "("
      text.append(check, depth)
      text.text += ")"
    }
    switch check {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let check):
      text += "NOT "
      inParentheses(check, &self)
    case .and(let checks), .or(let checks):
      let word = if case .and = check { " AND " } else { " OR " }
      for (index, check) in checks.enumerated() {
        if index > 0 { text += word }
        inParentheses(check, &self)
      }
    case .compare(let first, let relation, let second, let options):
      append(first, depth)
      text += " \(relation.rawValue)\(options.text) "
      append(second, depth)
    case .oneOf(let term, let values, let options):
      append(term, depth)
      text += " IN\(options.text) "
      append(values)
    case .between(let term, let first, let second):
      append(term, depth)
      text += " BETWEEN "
      append([first, second])
    case .quantified(let quantifier, let place, let check):
      text += "\(quantifier.rawValue)("
      append(place, depth)
      text += ", $v\(depth + 1), "
      append(check, depth + 1)
      text += ")"
    case .through(let quantifier, let place, let relation, let term, let options):
      if let quantifier { text += quantifier.rawValue + " " }
      append(place, depth)
      text += " \(relation.rawValue)\(options.text) "
      append(term, depth)
    case .matches(let place, let parts):
      append(place, depth)
      text += " MATCHES "
      append(.text(parts.map(\.text).joined(separator: " ")))
    }
  }

  private mutating func append(_ term: QueryTerm, _ depth: Int) {
    func call(_ name: String, _ terms: [QueryTerm], _ text: inout QueryText) {
      text.text += name + "("
      for (index, term) in terms.enumerated() {
        if index > 0 { text.text += ", " }
        text.append(term, depth)
      }
      text.text += ")"
    }
    switch term {
    case .value(let value): append(value)
    case .place(let place): append(place, depth)
    case .arithmetic(let first, let sign, let second):
      text += "("
      append(first, depth)
      text += " \(sign) "
      append(second, depth)
      text += ")"
    case .negative(let term): call("-", [term], &self)
    case .count(let place):
      append(place, depth)
      text += ".@count"
    case .countWhere(let place, let check):
      text += "SUBQUERY("
      append(place, depth)
      text += ", $v\(depth + 1), "
      append(check, depth + 1)
      text += ").@count"
    case .aggregate(let function, let place):
      var collection = place
      collection.steps = Array(place.steps.prefix(place.collectionSteps))
      append(collection, depth)
      text += ".@\(function)"
      for step in place.steps.dropFirst(place.collectionSteps) { append(step, isFirst: false) }
    case .length(let term): call("LENGTH", [term], &self)
    case .lowered(let term): call("LOWERCASE", [term], &self)
    case .raised(let term): call("UPPERCASE", [term], &self)
    case .coalesced(let first, let second): call("COALESCE", [first, second], &self)
    case .chosen(let check, let first, let second):
      text += "TERNARY("
      append(check, depth)
      text += ", "
      append(first, depth)
      text += ", "
      append(second, depth)
      text += ")"
    }
  }

  private mutating func append(_ place: QueryPlace, _ depth: Int) {
    let level = depth - place.scope
    var isFirst = true
    if level > 0 {
      text += "$v\(level)"
      isFirst = false
    } else if place.steps.isEmpty {
      text += "SELF"
    }
    for step in place.steps {
      append(step, isFirst: isFirst)
      isFirst = false
    }
  }

  private mutating func append(_ step: QueryPlace.Step, isFirst: Bool) {
    let dot = isFirst ? "" : "."
    switch step {
    case .name(let name): text += dot + name
    case .key(let key): text += "['\(key)']"
    case .keys: text += dot + "@keys"
    case .origins: text += dot + "@links.Item.link"
    }
  }

  private mutating func append(_ values: [PlainValue]) {
    if usesArguments {
      text += "%@"
      return arguments.append(values.map(\.any))
    }
    text += "{"
    for (index, value) in values.enumerated() {
      if index > 0 { text += ", " }
      append(value)
    }
    text += "}"
  }

  private mutating func append(_ value: PlainValue) {
    if value.isNull {
      text += "nil"
    } else if !usesArguments, let literal = value.literal {
      text += literal
    } else {
      text += "%@"
      arguments.append(value.any)
    }
  }
}

extension PlainValue {
  /// The value as text; nil where it has none.
  var literal: String? {
    switch self {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .double(let value):
      return value.isFinite && "\(value)".contains("e") == false
        ? "\(value)"
        : "double('\(value.isNaN ? "NaN" : value == .infinity ? "Infinity" : value == -.infinity ? "-Infinity" : "\(value)")')"
    case .decimal(let value): return "decimal('\(value)')"
    case .text(let text):
      let pieces = text.unicodeScalars.map { scalar in
        switch scalar {
        case "'": "\\'"
        case "\\": "\\\\"
        case _ where scalar.value < 32 || scalar.value == 0x301: "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
      }
      return "'" + pieces.joined() + "'"
    case .data(let data): return "data(hex '\(data.map { String(format: "%02x", $0) }.joined())')"
    case .uuid(let uuid): return "uuid('\(uuid)')"
    case .objectId(let id): return "oid('\(id)')"
    case .date, .row, .part, .list, .map: return nil
    }
  }

  /// The value as a property or an argument takes it.
  var any: Any {
    switch self {
    case .null: Optional<Int>.none as Any
    case .bool(let value): value
    case .integer(let value): Int(truncatingIfNeeded: value)
    case .double(let value): value
    case .decimal(let value): value
    case .text(let value): value
    case .data(let value): value
    case .date(let value): Date(timeIntervalSinceReferenceDate: value)
    case .uuid(let value): value
    case .objectId(let value): value
    case .row: Optional<Int>.none as Any
    case .part(let values): values.mapValues(\.any)
    case .list(let values): values.map(\.any)
    case .map(let values): Dictionary(values.map { ($0.key, $0.value.any) }) { $1 }
    }
  }
}
