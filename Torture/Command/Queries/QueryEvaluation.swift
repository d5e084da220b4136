import Foundation

/// A condition on plain objects, evaluated in the simplest way, as the article QueryLanguage.md describes it.
struct QueryEvaluation {
  let world: PlainWorld
  /// The subjects of the scopes, the innermost at the end.
  private var scopes: [PlainValue]
  /// Whether `<=` is taken for `<`: the defect of the control.
  let isBent: Bool

  init(_ world: PlainWorld, _ row: PlainRow, isBent: Bool) {
    self.world = world
    self.isBent = isBent
    scopes = [.row(row)]
  }

  func holds(_ check: QueryCheck) throws -> Bool {
    switch check {
    case .constant(let value): return value
    case .not(let check): return try !holds(check)
    case .and(let checks): return try checks.map(holds).allSatisfy { $0 }
    case .or(let checks): return try checks.map(holds).contains(true)
    case .compare(let first, let relation, let second, let options):
      return try compare(value(first), relation, value(second), options, first, second)
    case .oneOf(let term, let values, let options):
      let value = try value(term)
      return try values.map { try compare(value, .equal, $0, options, term, .value($0)) }.contains(true)
    case .between(let term, let first, let second):
      let value = try value(term)
      return try compare(value, .greaterOrEqual, first, [], term, .value(first))
        && compare(value, .lessOrEqual, second, [], term, .value(second))
    case .quantified(let quantifier, let place, let check):
      return try quantify(quantifier, elements(of: place).map { try inside($0).holds(check) })
    case .through(let quantifier, let place, let relation, let term, let options):
      let (other, path) = (try value(term), QueryTerm.place(place))
      // `tags CONTAINS 'red'` asks whether a value is in a collection.
      let isElement = quantifier == nil && relation == .contains && place.steps.count == place.collectionSteps
      let relation = isElement ? .equal : relation
      return try quantify(
        quantifier ?? .any,
        values(through: place).map { try compare($0, relation, other, options, path, term) }
      )
    case .matches(let place, let parts):
      guard case .text(let text) = try value(.place(place)) else { return false }
      return try PlainText.matches(text, parts)
    }
  }

  private func quantify(_ quantifier: QueryCheck.Quantifier, _ results: [Bool]) -> Bool {
    switch quantifier {
    case .any: results.contains(true)
    case .all: !results.contains(false)
    case .none: !results.contains(true)
    }
  }

  private func inside(_ element: PlainValue) -> QueryEvaluation {
    var inner = self
    inner.scopes.append(element)
    return inner
  }

  // MARK: Paths

  private func follow(_ start: PlainValue, _ steps: some Sequence<QueryPlace.Step>) -> PlainValue {
    var value = start
    for step in steps {
      switch (step, value) {
      case (.name("previous"), .row(let row)): value = .list(world.previous(of: row))
      case (.origins, .row(let row)): value = .list(world.linking(row))
      case (.name(let name), .row(let row)): value = row.values[name] ?? .null
      case (.name(let name), .part(let values)): value = values[name] ?? .null
      case (.key(let key), .map(let entries)): value = entries.first { $0.key == key }?.value ?? .null
      case (.keys, .map(let entries)): value = .list(entries.map { .text($0.key) })
      default: return .null
      }
    }
    return value
  }

  private func start(_ place: QueryPlace) -> PlainValue { scopes[scopes.count - 1 - place.scope] }

  /// The elements of a collection; a link that is nil is none.
  private func elements(of place: QueryPlace) -> [PlainValue] {
    let all = allElements(of: place)
    switch place.element {
    case .item, .target, .part: return all.filter { !$0.isNull }
    default: return all
    }
  }

  private func allElements(of place: QueryPlace) -> [PlainValue] {
    switch follow(start(place), place.steps) {
    case .list(let values): values
    case .map(let entries): entries.map(\.value)
    default: []
    }
  }

  private func values(through place: QueryPlace) -> [PlainValue] {
    var collection = place
    collection.steps = Array(place.steps.prefix(place.collectionSteps))
    return elements(of: collection).map { follow($0, place.steps.dropFirst(place.collectionSteps)) }
  }

  // MARK: Values

  func value(_ term: QueryTerm) throws -> PlainValue {
    switch term {
    case .value(let value): return value
    case .place(let place): return follow(start(place), place.steps)
    case .arithmetic(let first, let sign, let second): return try calculate(value(first), sign, value(second))
    case .negative(let term):
      switch try value(term) {
      case .integer(let value): return .integer(-value)
      case .double(let value): return .double(-value)
      case .decimal: throw Undecided()
      default: return .null
      }
    case .count(let place): return .integer(Int128(allElements(of: place).count))
    case .countWhere(let place, let check):
      return .integer(Int128(try elements(of: place).map { try inside($0).holds(check) }.count { $0 }))
    case .aggregate(let function, let place): return try aggregate(function, values(through: place))
    case .length(let term):
      switch try value(term) {
      case .text(let text): return .integer(Int128(text.count))
      case .data(let data): return .integer(Int128(data.count))
      default: return .null
      }
    case .lowered(let term): return try text(term).map { .text($0.lowercased()) } ?? .null
    case .raised(let term): return try text(term).map { .text($0.uppercased()) } ?? .null
    case .coalesced(let first, let second):
      let value = try value(first)
      return value.isNull ? try nearest(self.value(second), to: first, isLiteral: second) : value
    case .chosen(let check, let first, let second):
      return try holds(check) ? value(first) : nearest(value(second), to: first, isLiteral: second)
    }
  }

  private func text(_ term: QueryTerm) throws -> String? {
    if case .text(let text) = try value(term) { text } else { nil }
  }

  private func calculate(_ first: PlainValue, _ sign: String, _ second: PlainValue) throws -> PlainValue {
    switch (first, second) {
    case (.null, _), (_, .null): return .null
    case (.integer(let first), .integer(let second)):
      let (result, isInvalid) =
        switch sign {
        case "+": first.addingReportingOverflow(second)
        case "-": first.subtractingReportingOverflow(second)
        case "*": first.multipliedReportingOverflow(by: second)
        case "/": first.dividedReportingOverflow(by: second)
        default: first.remainderReportingOverflow(dividingBy: second)
        }
      return isInvalid ? .null : .integer(result)
    default:
      guard let first = double(first), let second = double(second) else { throw Undecided() }
      switch sign {
      case "+": return .double(first + second)
      case "-": return .double(first - second)
      case "*": return .double(first * second)
      case "/": return .double(first / second)
      default: return .double(first.truncatingRemainder(dividingBy: second))
      }
    }
  }

  private func double(_ value: PlainValue) -> Double? {
    switch value {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  private func aggregate(_ function: QueryTerm.Function, _ all: [PlainValue]) throws -> PlainValue {
    let values = all.filter { !$0.isNull }
    switch function {
    case .sum, .avg:
      if function == .avg, values.isEmpty { return .null }
      // The rounding of a sum of other numbers is not said.
      let sum = try values.reduce(Int128(0)) { sum, value in
        guard case .integer(let value) = value else { throw Undecided() }
        return sum + value
      }
      if function == .sum { return .integer(sum) }
      guard abs(sum) < 1 << 53 else { throw Undecided() }
      return .double(Double(sum) / Double(values.count))
    case .min, .max:
      if values.contains(where: \.isNaN) { throw Undecided() }
      return values.first { value in
        values.allSatisfy { (value.order($0) ?? 0) * (function == .min ? 1 : -1) <= 0 }
      } ?? .null
    }
  }

  // MARK: Comparisons

  private func compare(
    _ first: PlainValue,
    _ relation: QueryCheck.Relation,
    _ second: PlainValue,
    _ options: PlainText.Options,
    _ firstTerm: QueryTerm,
    _ secondTerm: QueryTerm
  ) throws -> Bool {
    let one = try decimal(
      nearest(first, to: secondTerm, isLiteral: firstTerm),
      firstTerm,
      beside: second,
      secondTerm
    )
    let two = try decimal(
      nearest(second, to: firstTerm, isLiteral: secondTerm),
      secondTerm,
      beside: first,
      firstTerm
    )
    if case .text(let one) = one, case .text(let two) = two {
      return compare(PlainText.folded(one, options), relation, PlainText.folded(two, options))
    }
    if relation.isOfTexts {
      guard case .data(let one) = one, case .data(let two) = two else { return false }
      return compare([UInt8](one), relation, [UInt8](two))
    }
    return compare(one.order(two), relation)
  }

  /// A literal of a double beside a decimal is the decimal with the same digits.
  private func decimal(
    _ value: PlainValue,
    _ term: QueryTerm,
    beside other: PlainValue,
    _ otherTerm: QueryTerm
  ) throws -> PlainValue {
    guard case .decimal = other, case .double(let number) = value, case .value = term else { return value }
    // Two literals: the documents do not say which of the two is read as the other.
    if case .value = otherTerm { return value }
    guard number.isFinite else { return value }
    guard let decimal = Decimal(string: "\(number)") else { throw Undecided() }
    return .decimal(decimal)
  }

  /// A number with a fraction that is compared with floats is the nearest float, if there is one in their range.
  private func nearest(_ value: PlainValue, to term: QueryTerm, isLiteral other: QueryTerm) throws
    -> PlainValue
  {
    guard Self.isFloat(term), case .value = other else { return value }
    switch value {
    case .double(let number):
      if number == number.rounded(), number.isFinite, Double(Float(number)) != number { throw Undecided() }
      let nearest = Double(Float(number))
      return nearest == 0 || nearest.isInfinite ? value : .double(nearest)
    case .decimal: throw Undecided()
    default: return value
    }
  }

  /// Whether the values of a term are those of a `Float` property.
  private static func isFloat(_ term: QueryTerm) -> Bool {
    switch term {
    case .place(let place): place.column?.kind == .float
    case .aggregate(let function, let place):
      (function == .min || function == .max) && place.column?.kind == .float
    case .coalesced(let first, _), .chosen(_, let first, _): isFloat(first)
    default: false
    }
  }

  private func compare(_ order: Int?, _ relation: QueryCheck.Relation) -> Bool {
    switch relation {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order.map { $0 < 0 } ?? false
    case .lessOrEqual: order.map { isBent ? $0 < 0 : $0 <= 0 } ?? false
    case .greater: order.map { $0 > 0 } ?? false
    case .greaterOrEqual: order.map { $0 >= 0 } ?? false
    default: false
    }
  }

  private func compare(_ first: String, _ relation: QueryCheck.Relation, _ second: String) -> Bool {
    if relation == .like {
      return PlainText.isLike(Array(first.unicodeScalars)[...], Array(second.unicodeScalars)[...])
    }
    return compare(Array(first.utf8), relation, Array(second.utf8))
  }

  private func compare(_ first: [UInt8], _ relation: QueryCheck.Relation, _ second: [UInt8]) -> Bool {
    switch relation {
    case .contains:
      first.count >= second.count
        && (0...first.count - second.count).contains { first[$0...].starts(with: second) }
    case .begins: first.starts(with: second)
    case .ends: first.reversed().starts(with: second.reversed())
    default: compare(first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1, relation)
    }
  }
}
