import Foundation
import LMDB

/// Conversions between the payload of a column and an element of a key.
enum KeyCoding {
  /// Appends the key element for a column's payload; `nil` becomes the null element.
  static func append(
    _ payload: UnsafeRawBufferPointer?,
    kind: ColumnType.Kind,
    to encoder: inout KeyEncoder
  ) throws(FiefError) {
    guard let payload else {
      encoder.appendNull()
      return
    }
    if let width = kind.fixedWidth, payload.count != width { throw ValueReader.truncated }
    switch kind {
    case .bool: encoder.append(payload[0] != 0)
    case .int8: encoder.append(Int64(payload.load(as: Int8.self)))
    case .int16: encoder.append(Int64(Int16(littleEndian: payload.loadUnaligned(as: Int16.self))))
    case .int32: encoder.append(Int64(Int32(littleEndian: payload.loadUnaligned(as: Int32.self))))
    case .int64: encoder.append(Int64(littleEndian: payload.loadUnaligned(as: Int64.self)))
    case .float:
      encoder.append(Float(bitPattern: UInt32(littleEndian: payload.loadUnaligned(as: UInt32.self))))
    case .double: encoder.append(payload.leadingDouble)
    case .date: encoder.append(date: payload.leadingDouble)
    case .string: encoder.append(string: String(decoding: payload, as: UTF8.self))
    case .data, .any: encoder.append(bytes: payload)
    case .decimal: encoder.append(decimal: payload)
    case .uuid, .objectId:
      do {
        if kind == .uuid { try encoder.append(uuid: payload) } else { try encoder.append(objectID: payload) }
      } catch {
        throw ValueReader.truncated
      }
    case .link, .embedded, .linkingObjects: encoder.append(bytes: payload)
    }
  }

  /// Decodes the next element of a key and appends its payload to `writer`. Returns false if the element is
  /// nil.
  static func appendPayload(
    from decoder: inout KeyDecoder,
    kind: ColumnType.Kind,
    to writer: inout ValueWriter
  ) throws(FiefError) -> Bool {
    let element: KeyElement?
    do { element = try decoder.next() } catch {
      throw FiefError(.damagedRecord, "A key is damaged.", underlying: error)
    }
    switch (element, kind) {
    case (.null, _): return false
    case (.integer(let value), .int8): writer.appendInteger(Int8(truncatingIfNeeded: value))
    case (.integer(let value), .int16): writer.appendInteger(Int16(truncatingIfNeeded: value))
    case (.integer(let value), .int32): writer.appendInteger(Int32(truncatingIfNeeded: value))
    case (.integer(let value), .int64): writer.appendInteger(value)
    case (.string(let value), .string): writer.append(value)
    case (.uuid(let bytes), .uuid), (.objectID(let bytes), .objectId):
      writer.append(bytes)
    default: throw FiefError(.damagedRecord, "A key does not fit the primary key's type.")
    }
    return true
  }

  /// Returns the text of a column's payload, for error messages. A value has the same text as in a key; a
  /// link has the text of its object's key.
  static func text(
    ofPayload payload: UnsafeRawBufferPointer?,
    kind: ColumnType.Kind
  ) throws(FiefError) -> String {
    guard let payload else { return "nil" }
    if kind == .link { return ObjectKey(payload).description }
    if kind == .any {
      // A value of any type is stored as its kind and its payload. For an unknown kind, the text is the size.
      guard let first = payload.first else { return "nil" }
      if let kind = ColumnType.Kind(rawValue: first), kind != .any {
        return try text(ofPayload: UnsafeRawBufferPointer(rebasing: payload.dropFirst()), kind: kind)
      }
    }
    var encoder = KeyEncoder()
    try append(payload, kind: kind, to: &encoder)
    return ObjectKey(bytes: encoder.bytes).description
  }

  static func text(of element: KeyElement) -> String {
    switch element {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let value): value
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .uuid(let bytes):
      bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
    case .objectID(let bytes):
      bytes.withUnsafeBytes { ObjectId(bytes: $0)?.stringValue ?? "?" }
    case .date(let seconds): DateText.text(Date(timeIntervalSinceReferenceDate: seconds))
    case .decimal(let bytes):
      bytes.withUnsafeBytes { DecimalCoding.decode($0).map { "\($0)" } ?? "?" }
    }
  }
}
