import Foundation
import LMDB

/// A value from which a derived property is computed, or its result.
package enum DerivedValue: Equatable {
  /// Nil.
  case none
  case integer(Int64)
  /// A floating-point number or a date.
  case floating(Double)
  /// A text or a decimal number, as bytes that sort like the values.
  case bytes([UInt8])

  /// Whether the value can be a minimum or maximum: it is neither nil nor NaN.
  var isOrdered: Bool {
    switch self {
    case .none: false
    case .integer: true
    case .floating(let number): !number.isNaN
    case .bytes(let bytes): bytes != [DecimalCoding.notANumber]
    }
  }

  /// Whether the value is less than another value of the same type.
  func precedes(_ other: DerivedValue) -> Bool {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): first < second
    case (.floating(let first), .floating(let second)): first < second
    case (.bytes(let first), .bytes(let second)): first.lexicographicallyPrecedes(second)
    default: false
    }
  }
}

extension DerivedValue {
  /// Creates a value from a payload.
  init(_ payload: UnsafeRawBufferPointer?, kind: ColumnType.Kind) {
    guard let payload else {
      self = .none
      return
    }
    switch (kind, payload.count) {
    case (.bool, 1), (.int8, 1): self = .integer(Int64(payload.loadUnaligned(as: Int8.self)))
    case (.int16, 2): self = .integer(Int64(Int16(littleEndian: payload.loadUnaligned(as: Int16.self))))
    case (.int32, 4): self = .integer(Int64(Int32(littleEndian: payload.loadUnaligned(as: Int32.self))))
    case (.int64, 8): self = .integer(Int64(littleEndian: payload.loadUnaligned(as: Int64.self)))
    case (.float, 4):
      let bits = UInt32(littleEndian: payload.loadUnaligned(as: UInt32.self))
      self = .floating(Double(Float(bitPattern: bits)))
    case (.double, 8), (.date, 8): self = .floating(payload.leadingDouble)
    default: self = .bytes([UInt8](payload))
    }
  }

  /// Returns the payload for a column of the type, or `nil` for a nil value.
  package func payload(_ kind: ColumnType.Kind) -> [UInt8]? {
    var writer = ValueWriter()
    switch (self, kind) {
    case (.none, _): return nil
    case (.integer(let value), .int8): writer.appendInteger(Int8(clamping: value))
    case (.integer(let value), .int16): writer.appendInteger(Int16(clamping: value))
    case (.integer(let value), .int32): writer.appendInteger(Int32(clamping: value))
    case (.integer(let value), .int64): writer.appendInteger(value)
    case (.floating(let value), .float): writer.appendInteger(Float(value).bitPattern)
    case (.floating(let value), _): writer.appendInteger(value.bitPattern)
    case (.bytes(let bytes), _): writer.append(bytes)
    default: return nil
    }
    return writer.bytes
  }
}
