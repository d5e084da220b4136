import Foundation

/// An aggregate that is computed from the values of many rows.
enum RowAggregate: Hashable, Sendable {
  case count
  case sum
  case average
  case minimum
  case maximum
}

/// An aggregate of the rows that it was shown.
///
/// Nil does not count. Integers are added in 128 bits, so that no order of them overflows; a result that does
/// not fit its type is an error at the end.
struct RowFold {
  let aggregate: RowAggregate
  /// The kind of the values, apart from nil.
  let kind: ColumnType.Kind?
  private(set) var count = 0
  private var integers: Int128 = 0
  private var doubles = 0.0
  private var decimals = Decimal.zero
  private var best: QueryValue?
  /// The element of the best value, which others are compared with.
  private var bestElement: [UInt8] = []

  init(_ aggregate: RowAggregate, kind: ColumnType.Kind?) {
    self.aggregate = aggregate
    self.kind = kind
  }

  /// Counts a row, whatever its values are.
  mutating func addRow() { count &+= 1 }

  /// Adds the value of a row.
  @inline(__always)
  mutating func add(_ operand: RowOperand, _ row: QueryRow, in environment: QueryEnvironment) throws {
    switch aggregate {
    case .count: if try !operand.evaluate(row, in: environment).isNull { count &+= 1 }
    case .sum, .average: add(try operand.evaluate(row, in: environment))
    case .minimum, .maximum: try addExtreme(operand, row, in: environment)
    }
  }

  /// Adds a number to a sum; anything else, as nil, does not count.
  mutating func add(_ value: RowValue) {
    switch value {
    case .integer(let value): integers &+= value
    case .double(let value), .date(let value): doubles += value
    case .decimal(let value): decimals += value
    default: return
    }
    count &+= 1
  }

  /// Adds integers that were added up already.
  mutating func add(integers sum: Int128, count: Int) {
    integers &+= sum
    self.count &+= count
  }

  private mutating func addExtreme(_ operand: RowOperand, _ row: QueryRow, in environment: QueryEnvironment)
    throws
  {
    let value = try operand.evaluate(row, in: environment)
    if value.isNull { return }
    // A value that is not a number is neither less nor greater than anything.
    switch value {
    case .double(let number), .date(let number): if number.isNaN { return }
    case .decimal(let number): if number.isNaN { return }
    default: break
    }
    count &+= 1
    var writer = ValueWriter()
    OrderElement.append(
      value,
      kind: operand.kind,
      QueryOrder(.path(.element), ascending: aggregate == .minimum),
      isLocalized: false,
      to: &writer
    )
    let isBetter = writer.withBytes { bytes in
      best == nil || bestElement.withUnsafeBytes { bytes.compare($0) < 0 }
    }
    guard isBetter else { return }
    best = QueryValue(value, tables: environment.tables)
    bestElement = writer.bytes
  }

  /// The sum as a value of a kind.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where the kind cannot have it.
  func sum(as kind: ColumnType.Kind) throws -> QueryValue {
    switch self.kind {
    case .decimal?:
      if kind == .decimal { return .decimal(decimals) }
    case .float?, .double?:
      if kind == .double || kind == .float { return .double(doubles) }
    default:
      if kind.isInteger, let value = Int64(exactly: integers), kind.integerRange.contains(value) {
        return .integer(value)
      }
      if kind == .double || kind == .float { return .double(Double(integers)) }
      if kind == .decimal { return .decimal(Decimal(string: "\(integers)") ?? .nan) }
    }
    throw FiefError(
      .invalidValue,
      "A sum does not fit the type of its result.",
      details: ["sum: " + HiddenValue.text("\(total)"), "type: \(kind.swiftName)"]
    )
  }

  private var total: String {
    switch kind {
    case .decimal?: "\(decimals)"
    case .float?, .double?: "\(doubles)"
    default: "\(integers)"
    }
  }

  /// The mean of dates, nil where there are none.
  var averageDate: Date? {
    count > 0 ? Date(timeIntervalSinceReferenceDate: doubles / Double(count)) : nil
  }

  /// The mean of numbers, nil where there are none.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for dates, whose mean is no number.
  func numberAverage() throws -> Double? {
    guard kind == .date else { return average }
    throw FiefError(.invalidQuery, "The mean of dates is a date.", details: ["ask for it as a Date"])
  }

  /// The mean of decimals or integers, nil where there are none.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for other values, whose sum is no decimal.
  func decimalAverage() throws -> Decimal? {
    switch kind {
    case .float?, .double?, .date?:
      throw FiefError(
        .invalidQuery,
        "The mean of such values is no decimal.",
        details: ["ask for it as a \(kind == .date ? "Date" : "Double")"]
      )
    default: break
    }
    guard count > 0 else { return nil }
    guard integers != 0 else { return decimals / Decimal(count) }
    return (decimals + (Decimal(string: "\(integers)") ?? .nan)) / Decimal(count)
  }

  /// The mean of the values, nil where there are none.
  var average: Double? {
    guard count > 0 else { return nil }
    let total = kind == .decimal ? ExactNumbers.nearest(decimals) : doubles + Double(integers)
    return total / Double(count)
  }

  /// The least or the greatest value, nil where there is none.
  var extreme: QueryValue? { best }
}
