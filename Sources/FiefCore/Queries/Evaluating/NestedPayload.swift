import LMDB

/// The contents of a list or dictionary in an `AnyRealmValue`. They are read in place, and only the requested
/// parts are decoded.
struct NestedPayload {
  let isDictionary: Bool
  let count: Int
  private let elements: UnsafeRawBufferPointer

  /// - Throws: ``FiefError`` of code `damagedRecord` if the payload is neither a list nor a dictionary.
  init(_ payload: UnsafeRawBufferPointer) throws(FiefError) {
    guard let kind = payload.first.flatMap(NestedKind.init(rawValue:)) else { throw RecordView.damaged }
    var reader = ValueReader(UnsafeRawBufferPointer(rebasing: payload[1...]), context: nil)
    isDictionary = kind == .dictionary
    count = try reader.count()
    elements = reader.rest
  }

  /// Calls `body` with each value, and with its key in a dictionary, until `body` returns false.
  func forEach(_ body: (_ key: UnsafeRawBufferPointer?, _ value: UnsafeRawBufferPointer) throws -> Bool)
    throws
  {
    var reader = ValueReader(elements, context: nil)
    for _ in 0..<count {
      let key = isDictionary ? try reader.sized() : nil
      if try !body(key, try reader.sized()) { return }
    }
  }

  /// Returns the value of a key, or `nil` if the key is missing or this is a list.
  func value(of key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
    guard isDictionary else { return nil }
    var found: UnsafeRawBufferPointer?
    try forEach { other, value in
      guard let other else { return false }
      // The entries are sorted by key.
      let order = other.compare(key)
      if order == 0 { found = value }
      return order < 0
    }
    return found
  }

  /// Returns the value at an index of a list, where -1 is the last value. Returns `nil` if the index is out
  /// of range or this is a dictionary.
  func value(at index: Int) throws -> UnsafeRawBufferPointer? {
    let index = index < 0 ? count + index : index
    guard !isDictionary, index >= 0, index < count else { return nil }
    var reader = ValueReader(elements, context: nil)
    for _ in 0..<index { _ = try reader.sized() }
    return try reader.sized()
  }
}

/// A part of a list or dictionary in an `AnyRealmValue`, or nil if the part does not exist.
final class NestedPartOperand: RowOperand {
  enum Place {
    case key(StableBytes)
    case index(Int)
  }

  private let value: RowOperand
  private let place: Place

  init(_ value: RowOperand, _ place: Place) {
    self.value = value
    self.place = place
    super.init(kind: .any)
  }

  override var secret: RowColumn? { value.secret }
  override var cost: Int { value.cost + 30 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    guard case .nested(let payload) = try value.evaluate(row, in: environment) else { return .null }
    let nested = try NestedPayload(payload)
    let part =
      switch place {
      case .key(let key): try nested.value(of: key.bytes)
      case .index(let index): try nested.value(at: index)
      }
    return try part.map { try RowValue($0, .any) } ?? .null
  }
}

/// The values or keys of a list or dictionary in an `AnyRealmValue`.
final class NestedCollection: RowCollection {
  private let value: RowOperand
  private let part: QueryCollection.Part

  init(_ value: RowOperand, part: QueryCollection.Part) {
    self.value = value
    self.part = part
    super.init(type: ColumnType(part == .keys ? .string : .any), table: nil)
  }

  override var cost: Int { value.cost + 50 }

  override var hasNil: Bool { part != .keys }

  override func count(_ row: QueryRow, in environment: QueryEnvironment) throws -> Int {
    guard let nested = try nested(row, in: environment) else { return 0 }
    return part == .keys && !nested.isDictionary ? 0 : nested.count
  }

  override func forEach(
    _ row: QueryRow,
    in environment: QueryEnvironment,
    _ body: (RowValue) throws -> Bool
  ) throws {
    try nested(row, in: environment)?.forEach { key, value in
      guard part == .keys else { return try body(try RowValue(value, .any)) }
      return try key.map { try body(.text($0)) } ?? false
    }
  }

  private func nested(_ row: QueryRow, in environment: QueryEnvironment) throws -> NestedPayload? {
    guard case .nested(let payload) = try value.evaluate(row, in: environment) else { return nil }
    return try NestedPayload(payload)
  }
}
