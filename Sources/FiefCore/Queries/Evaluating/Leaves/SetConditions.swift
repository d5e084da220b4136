/// The condition that a value is one of several constants that consist of bytes: texts, data, identifiers or
/// objects.
// SAFETY: the addresses in `members` point into `storage`.
final class BytesSetCondition: RowCondition {
  private let operand: RowOperand
  private let storage: [StableBytes]
  /// The sorted members.
  private let members: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
  private let hasNil: Bool

  init(_ operand: RowOperand, _ values: [UnsafeRawBufferPointer], hasNil: Bool) {
    self.operand = operand
    self.hasNil = hasNil
    let sorted = values.sorted { $0.compare($1) < 0 }
    storage = sorted.map { StableBytes($0) }
    members = .allocate(capacity: storage.count)
    _ = members.initialize(from: storage.map(\.bytes))
  }

  deinit { members.deallocate() }

  override var cost: Int { operand.cost + 20 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    switch try operand.evaluate(row, in: environment) {
    case .null: hasNil
    case .text(let bytes), .data(let bytes), .uuid(let bytes), .objectId(let bytes), .object(_, let bytes):
      contains(bytes)
    default: false
    }
  }

  private func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var lower = 0
    var upper = members.count
    while lower < upper {
      let middle = (lower + upper) / 2
      let order = members[middle].compare(bytes)
      if order == 0 { return true }
      if order < 0 { lower = middle + 1 } else { upper = middle }
    }
    return false
  }
}

/// The condition that an integer is one of several constants.
// SAFETY: `bits` has `span` bits, one for each integer from `least` on, in 64-bit words.
final class IntegerSetCondition: RowCondition {
  private let operand: RowOperand
  private let members: SortedMembers<Int64>
  private let hasNil: Bool
  private let least: Int64
  private let span: UInt64
  /// The members as a bit set, or `nil` if they are too far apart.
  private let bits: UnsafeMutablePointer<UInt64>?

  init(_ operand: RowOperand, _ values: [Int64], hasNil: Bool) {
    self.operand = operand
    self.hasNil = hasNil
    members = SortedMembers(values)
    least = values.min() ?? 0
    let last = UInt64(bitPattern: (values.max() ?? 0) &- least)
    // The bit set uses at most as much memory as the members.
    guard values.count > 8, last / 64 < UInt64(values.count) else {
      span = 0
      bits = nil
      return
    }
    span = last + 1
    let words = Int(last / 64) + 1
    let bits = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    bits.initialize(repeating: 0, count: words)
    for value in values {
      let place = UInt64(bitPattern: value &- least)
      bits[Int(place / 64)] |= 1 << (place % 64)
    }
    self.bits = bits
  }

  deinit { bits?.deallocate() }

  override var cost: Int { operand.cost + 8 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    guard let value = try operand.integer(of: row, in: environment) else { return hasNil }
    if let bits {
      let place = UInt64(bitPattern: value &- least)
      return place < span && bits[Int(place / 64)] >> (place % 64) & 1 != 0
    }
    return members.contain(value)
  }
}

/// The condition that a floating-point number or a date is one of several constants.
final class DoubleSetCondition: RowCondition {
  private let operand: RowOperand
  private let members: SortedMembers<Double>
  private let hasNil: Bool

  /// - Parameter values: the constants, without NaN.
  init(_ operand: RowOperand, _ values: [Double], hasNil: Bool) {
    self.operand = operand
    self.hasNil = hasNil
    members = SortedMembers(values)
  }

  override var cost: Int { operand.cost + 8 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    guard let value = try operand.double(of: row, in: environment) else { return hasNil }
    return members.contain(value)
  }
}

/// A sorted array of values that supports binary search.
// SAFETY: all `values` are initialised and never change.
private final class SortedMembers<Value: Comparable & BitwiseCopyable> {
  private let values: UnsafeMutableBufferPointer<Value>

  init(_ members: [Value]) {
    values = .allocate(capacity: members.count)
    _ = values.initialize(from: members.sorted())
  }

  deinit { values.deallocate() }

  @inline(__always)
  func contain(_ value: Value) -> Bool {
    var lower = 0
    var upper = values.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if values[middle] < value { lower = middle + 1 } else { upper = middle }
    }
    return lower < values.count && values[lower] == value
  }
}

/// The condition that a value equals one of several constants of any kind.
final class OneOfCondition: RowCondition {
  private let operand: RowOperand
  private let constants: [RowOperand]

  init(_ operand: RowOperand, _ constants: [RowOperand]) {
    self.operand = operand
    self.constants = constants
  }

  override var cost: Int { operand.cost + constants.count * 5 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    let value = try operand.evaluate(row, in: environment)
    for constant in constants {
      if let constant = constant.constant, value.relation(to: constant) == .equal { return true }
    }
    return false
  }
}
