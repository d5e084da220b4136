import Fief
import Foundation

/// The value of an entry: a leaf, or the number of an anchor's segment.
enum NodeContent {
  case leaf(JSON)
  case anchor(Int)

  /// Decodes the payload of the entry's value: the kind of the value, then its bytes.
  ///
  /// - Returns: `nil` if no entry of a tree has this payload.
  init?(_ payload: UnsafeRawBufferPointer) {
    guard let first = payload.first, let kind = ColumnType.Kind(rawValue: first) else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: payload.dropFirst())
    switch kind {
    case .bool:
      guard bytes.count == 1, bytes[0] <= 1 else { return nil }
      self = .leaf(.bool(bytes[0] == 1))
    case .int64:
      guard bytes.count == 8 else { return nil }
      self = .leaf(.int(Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))))
    case .double:
      guard bytes.count == 8 else { return nil }
      let value = Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
      guard value.isFinite else { return nil }
      self = .leaf(.double(value))
    case .string:
      guard let text = bytes.text else { return nil }
      self = .leaf(.string(text))
    case .data:
      guard bytes.count == 8 else { return nil }
      let number = Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))
      guard number > 0 else { return nil }
      self = .anchor(Int(number))
    default: return nil
    }
  }

  /// Returns the payload of an anchor.
  static func payload(ofAnchor segment: Int) -> [UInt8] {
    var payload = [ColumnType.Kind.data.rawValue]
    append(UInt64(bitPattern: Int64(segment)), to: &payload)
    return payload
  }

  /// Returns the payload of a leaf.
  ///
  /// - Parameter value: a finite number, a truth value or a text.
  static func payload(of value: JSON) -> [UInt8]? {
    switch value {
    case .null, .array, .object: return nil
    case .bool, .int, .double, .string:
      var payload: [UInt8] = []
      append(value, to: &payload)
      return payload
    }
  }

  /// Appends the payload of a leaf.
  static func append(_ value: JSON, to payload: inout [UInt8]) {
    switch value {
    case .bool(let truth):
      payload.append(ColumnType.Kind.bool.rawValue)
      payload.append(truth ? 1 : 0)
    case .int(let number):
      payload.append(ColumnType.Kind.int64.rawValue)
      append(UInt64(bitPattern: number), to: &payload)
    case .double(let number):
      payload.append(ColumnType.Kind.double.rawValue)
      append(number.bitPattern, to: &payload)
    case .string(var text): text.withUTF8 { append(text: UnsafeRawBufferPointer($0), to: &payload) }
    case .null, .array, .object: break
    }
  }

  /// Appends the payload of a text.
  ///
  /// - Parameter text: valid UTF-8.
  static func append(text: UnsafeRawBufferPointer, to payload: inout [UInt8]) {
    payload.append(ColumnType.Kind.string.rawValue)
    payload.append(contentsOf: text)
  }

  private static func append(_ number: UInt64, to payload: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { payload.append(contentsOf: $0) }
  }
}
