import Foundation

/// An aggregate of the values of many rows.
enum RowAggregate: Hashable, Sendable {
  case count
  case sum
  case average
  case minimum
  case maximum
}

/// Computes an aggregate of the rows that are added to it.
///
/// Nil does not count. Integers are added in 128 bits, which cannot overflow in any order of addition. If a
/// result does not fit its type, reading it throws an error.
struct RowFold {
  let aggregate: RowAggregate
  /// The kind of the values other than nil.
  let kind: ColumnType.Kind?
  private(set) var count = 0
  private var integers: Int128 = 0
  private var doubles = 0.0
  private var decimals = Decimal.zero
  private var best: QueryValue?
  /// The encoded form of the minimum or maximum so far, with which other values are compared.
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

  /// Adds a number to a sum. Nil and other values do not count.
  mutating func add(_ value: RowValue) {
    switch value {
    case .integer(let value): integers &+= value
    case .double(let value), .date(let value): doubles += value
    case .decimal(let value): decimals += value
    default: return
    }
    count &+= 1
  }

  /// Adds the sum and the number of several integers.
  mutating func add(integers sum: Int128, count: Int) {
    integers &+= sum
    self.count &+= count
  }

  private mutating func addExtreme(_ operand: RowOperand, _ row: QueryRow, in environment: QueryEnvironment)
    throws
  {
    let value = try operand.evaluate(row, in: environment)
    if value.isNull { return }
    // NaN is neither less nor greater than any value.
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

  /// Returns the sum as a query value of the given kind.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the kind cannot represent the sum.
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
      "A sum does not fit its result type.",
      details: ["sum: " + HiddenValue.text("\(total)"), "type: \(kind.facts.swiftName)"]
    )
  }

  private var total: String {
    switch kind {
    case .decimal?: "\(decimals)"
    case .float?, .double?: "\(doubles)"
    default: "\(integers)"
    }
  }

  /// The mean of dates, or `nil` if there are no values.
  var averageDate: Date? {
    count > 0 ? Date(timeIntervalSinceReferenceDate: doubles / Double(count)) : nil
  }

  /// Returns the mean of numbers, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if the values are dates, whose mean is not a number.
  func numberAverage() throws -> Double? {
    guard kind == .date else { return average }
    throw FiefError(.invalidQuery, "An average of dates is a Date.", details: ["request it as a Date"])
  }

  /// Returns the mean of decimals or integers, or `nil` if there are no values.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if the values are of other kinds, whose mean is not a
  ///   decimal.
  func decimalAverage() throws -> Decimal? {
    switch kind {
    case .float?, .double?, .date?:
      throw FiefError(
        .invalidQuery,
        "The average of these values cannot be a Decimal.",
        details: ["request it as a \(kind == .date ? "Date" : "Double")"]
      )
    default: break
    }
    guard count > 0 else { return nil }
    guard integers != 0 else { return decimals / Decimal(count) }
    return (decimals + (Decimal(string: "\(integers)") ?? .nan)) / Decimal(count)
  }

  /// The mean of the values, or `nil` if there are no values.
  var average: Double? {
    guard count > 0 else { return nil }
    let total = kind == .decimal ? ExactNumbers.nearest(decimals) : doubles + Double(integers)
    return total / Double(count)
  }

  /// The minimum or maximum value, or `nil` if there are no values.
  var extreme: QueryValue? { best }
}
