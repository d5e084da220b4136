import Foundation

/// A number to add to a property, and the limits of the sum.
package struct FieldIncrement: Sendable {
  package enum Amount: Sendable {
    case integer(Int64)
    case floating(Double)
    case decimal(Decimal)
  }

  package let amount: Amount
  /// The range of the property's own type, if it is smaller than its column's range.
  package var range: ClosedRange<Int64>?
  /// Whether the property is a `UInt` or `UInt64`, which is stored in a column of decimal numbers.
  package var isLargeUnsigned = false

  package init(amount: Amount, range: ClosedRange<Int64>? = nil, isLargeUnsigned: Bool = false) {
    self.amount = amount
    self.range = range
    self.isLargeUnsigned = isLargeUnsigned
  }

  static var noNumber: FiefError { FiefError(.invalidValue, "Only numbers can be incremented.") }

  private static var outOfRange: FiefError { FiefError(.invalidValue, "The sum is out of range.") }

  /// Returns the sum of the amount and a stored value. A nil value counts as 0.
  ///
  /// - Parameter kind: An integer, floating-point or decimal kind.
  /// - Throws: ``FiefError`` of code `invalidValue` if the value is not a number or the sum is out of range.
  func sum(_ value: DerivedValue, _ kind: ColumnType.Kind) throws -> DerivedValue {
    switch kind {
    case .int8, .int16, .int32, .int64: .integer(try integerSum(value, kind))
    case .float, .double: .floating(try floatingSum(value, kind))
    case .decimal: .bytes(try decimalSum(value))
    default: throw Self.noNumber
    }
  }

  /// Returns the payload of the sum of the amount and a stored payload. `nil` counts as 0.
  func sum(_ payload: [UInt8]?, _ kind: ColumnType.Kind) throws -> [UInt8] {
    if kind == .any { return try sumOfAny(payload) }
    let value = payload.withBytes { DerivedValue($0, kind: kind) }
    guard let sum = try sum(value, kind).payload(kind) else { throw RecordView.damaged }
    return sum
  }

  private func integerSum(_ value: DerivedValue, _ kind: ColumnType.Kind) throws -> Int64 {
    guard case .integer(let amount) = amount, let widest = kind.countableRange else { throw Self.noNumber }
    let before: Int64
    switch value {
    case .none: before = 0
    case .integer(let value): before = value
    default: throw RecordView.damaged
    }
    let (sum, isOverflow) = before.addingReportingOverflow(amount)
    guard !isOverflow, widest.contains(sum), range?.contains(sum) ?? true else { throw Self.outOfRange }
    return sum
  }

  private func floatingSum(_ value: DerivedValue, _ kind: ColumnType.Kind) throws -> Double {
    let before: Double
    switch value {
    case .none: before = 0
    case .floating(let value): before = value
    default: throw RecordView.damaged
    }
    let number: Double
    switch amount {
    case .integer(let amount): number = Double(amount)
    case .floating(let amount): number = amount
    case .decimal: throw Self.noNumber
    }
    let sum = before + number
    let isFinite = kind == .float ? Float(sum).isFinite : sum.isFinite
    guard isFinite || !before.isFinite || !number.isFinite else { throw Self.outOfRange }
    return sum
  }

  private func decimalSum(_ value: DerivedValue) throws -> [UInt8] {
    var before = Decimal(0)
    switch value {
    case .none: break
    case .bytes(let bytes):
      guard let stored = bytes.withUnsafeBytes({ DecimalCoding.decode($0) }) else { throw RecordView.damaged }
      before = stored
    default: throw RecordView.damaged
    }
    var number: Decimal
    switch amount {
    case .integer(let amount): number = Decimal(amount)
    case .decimal(let amount): number = amount
    case .floating: throw Self.noNumber
    }
    var sum = Decimal()
    // A sum with more digits than a decimal number supports would be rounded.
    guard NSDecimalAdd(&sum, &before, &number, .plain) == .noError,
      !isLargeUnsigned || (sum >= 0 && sum <= Decimal(UInt64.max))
    else { throw Self.outOfRange }
    return DecimalCoding.encode(sum)
  }

  /// Returns the sum of the amount and a value of an `any` property. The value keeps its kind, but an integer
  /// is converted to the amount's kind if the amount is not an integer.
  private func sumOfAny(_ payload: [UInt8]?) throws -> [UInt8] {
    let own: ColumnType.Kind =
      switch amount {
      case .integer: .int64
      case .floating: .double
      case .decimal: .decimal
      }
    guard let payload, let number = payload.first else { return [own.rawValue] + (try sum(nil, own)) }
    guard let kind = ColumnType.Kind(rawValue: number), kind != .any else { throw Self.noNumber }
    let value = Array(payload.dropFirst())
    guard kind == .int64, own != .int64 else { return [number] + (try sum(value, kind)) }
    guard case .integer(let before) = value.withUnsafeBytes({ DerivedValue($0, kind: kind) }) else {
      throw RecordView.damaged
    }
    let converted = FieldIncrement(amount: .integer(before))
    return [own.rawValue] + (try sum(try converted.sum(nil, own), own))
  }
}
