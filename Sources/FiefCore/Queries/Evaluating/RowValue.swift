import Foundation
import LMDB

/// A value of a row while a condition is evaluated. It has no reference-counted storage.
///
/// The bytes are in LMDB's page, in the column's default, or in a buffer of the operand that returned the
/// value. They are valid until the operand is evaluated again.
// SAFETY: a value is used only for the current row, whose page stays valid meanwhile.
enum RowValue {
  case null
  case bool(Bool)
  case integer(Int128)
  case double(Double)
  case decimal(Decimal)
  case text(UnsafeRawBufferPointer)
  case data(UnsafeRawBufferPointer)
  /// Seconds since 1 January 2001, 00:00 UTC.
  case date(Double)
  case uuid(UnsafeRawBufferPointer)
  case objectId(UnsafeRawBufferPointer)
  /// The payload of a list or dictionary in an `AnyRealmValue`.
  case nested(UnsafeRawBufferPointer)
  /// An object, by the id of its type and its key.
  case object(UInt32, key: UnsafeRawBufferPointer)
  /// The record of an embedded object.
  case embedded(UnsafeRawBufferPointer)
  /// The payload of a list, a set or a map.
  case collection(UnsafeRawBufferPointer)

  @inline(__always)
  var isNull: Bool {
    if case .null = self { return true }
    return false
  }
}

extension RowValue {
  /// Creates a single value from a payload that is not nil.
  ///
  /// - Parameter target: the id of the type to which a link refers.
  /// - Throws: ``FiefError`` of code `damagedRecord` if the payload is invalid for the kind.
  @inline(__always)
  init(_ payload: UnsafeRawBufferPointer, _ kind: ColumnType.Kind, target: UInt32 = 0) throws(FiefError) {
    switch kind {
    case .string: self = .text(payload)
    case .data: self = .data(payload)
    case .link: self = .object(target, key: payload)
    case .embedded: self = .embedded(payload)
    case .decimal:
      guard let value = DecimalCoding.decode(payload) else { throw ValueReader.truncated }
      self = .decimal(value)
    case .any: self = try Self.any(payload)
    case .linkingObjects: self = .null
    default:
      guard payload.count == kind.fixedWidth else { throw ValueReader.truncated }
      self = Self.fixed(payload, kind)
    }
  }

  // SAFETY: the caller has checked the width.
  @inline(__always)
  private static func fixed(_ payload: UnsafeRawBufferPointer, _ kind: ColumnType.Kind) -> RowValue {
    switch kind {
    case .bool: .bool(payload[0] != 0)
    case .int8: .integer(Int128(payload.load(as: Int8.self)))
    case .int16: .integer(Int128(Int16(littleEndian: payload.loadUnaligned(as: Int16.self))))
    case .int32: .integer(Int128(Int32(littleEndian: payload.loadUnaligned(as: Int32.self))))
    case .int64: .integer(Int128(Int64(littleEndian: payload.loadUnaligned(as: Int64.self))))
    case .float: .double(Double(payload.leadingFloat))
    case .double: .double(payload.leadingDouble)
    case .date: .date(payload.leadingDouble)
    case .uuid: .uuid(payload)
    case .objectId: .objectId(payload)
    default: .null
    }
  }

  /// Decodes an ``AnyRealmValue``: its kind, then its payload. An empty payload is nil.
  private static func any(_ payload: UnsafeRawBufferPointer) throws(FiefError) -> RowValue {
    guard let first = payload.first else { return .null }
    if let kind = NestedKind(rawValue: first) {
      guard kind == .object else { return .nested(payload) }
      guard payload.count > 5 else { throw ValueReader.truncated }
      let type = UInt32(littleEndian: payload.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
      return .object(type, key: UnsafeRawBufferPointer(rebasing: payload[5...]))
    }
    guard let kind = ColumnType.Kind(rawValue: first), kind != .any, kind != .link, kind != .embedded else {
      throw FiefError(.damagedRecord, "A value has an unknown kind.")
    }
    return try RowValue(UnsafeRawBufferPointer(rebasing: payload[1...]), kind)
  }
}
