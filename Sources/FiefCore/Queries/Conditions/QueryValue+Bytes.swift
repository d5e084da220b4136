import Foundation

/// The encoding of query values as bytes, in cursors and in the fingerprints that cursors are bound to. The
/// numbers are part of the cursor format.
extension QueryValue {
  func append(to writer: inout ValueWriter) {
    switch self {
    case .null: writer.appendInteger(UInt8(0))
    case .bool(let value): writer.appendInteger(UInt8(value ? 2 : 1))
    case .integer(let value):
      writer.appendInteger(UInt8(3))
      writer.appendInteger(value)
    case .double(let value):
      writer.appendInteger(UInt8(4))
      writer.appendInteger(value.bitPattern)
    case .decimal(let value):
      writer.appendInteger(UInt8(5))
      writer.appendBytes(DecimalCoding.encode(value))
    case .string(let value):
      writer.appendInteger(UInt8(6))
      writer.appendText(value)
    case .data(let value):
      writer.appendInteger(UInt8(7))
      writer.appendBytes(value)
    case .date(let value):
      writer.appendInteger(UInt8(8))
      writer.appendInteger(value.bitPattern)
    case .uuid(let value):
      writer.appendInteger(UInt8(9))
      withUnsafeBytes(of: value.uuid) { writer.append($0) }
    case .objectId(let value):
      writer.appendInteger(UInt8(10))
      value.withBytes { writer.append($0) }
    case .object(let type, let key):
      writer.appendInteger(UInt8(11))
      writer.appendText(type)
      writer.appendBytes(key?.bytes ?? [])
    case .nested(let value):
      writer.appendInteger(UInt8(12))
      writer.appendBytes(value)
    }
  }

  /// - Throws: ``FiefError`` if the bytes are not a value.
  init(from reader: inout ValueReader) throws {
    switch try reader.integer(UInt8.self) {
    case 0: self = .null
    case 1: self = .bool(false)
    case 2: self = .bool(true)
    case 3: self = .integer(try reader.integer(Int64.self))
    case 4: self = .double(Double(bitPattern: try reader.integer(UInt64.self)))
    case 5:
      guard let value = DecimalCoding.decode(try reader.sized()) else { throw ValueReader.truncated }
      self = .decimal(value)
    case 6: self = .string(String(decoding: try reader.sized(), as: UTF8.self))
    case 7: self = .data([UInt8](try reader.sized()))
    case 8: self = .date(Double(bitPattern: try reader.integer(UInt64.self)))
    case 9: self = .uuid(UUID(uuid: try reader.take(16).loadUnaligned(as: uuid_t.self)))
    case 10:
      guard let value = ObjectId(bytes: try reader.take(12)) else { throw ValueReader.truncated }
      self = .objectId(value)
    case 11:
      let type = String(decoding: try reader.sized(), as: UTF8.self)
      let key = [UInt8](try reader.sized())
      self = .object(type: type, key: key.isEmpty ? nil : ObjectKey(bytes: key))
    case 12: self = .nested([UInt8](try reader.sized()))
    default: throw ValueReader.truncated
    }
  }
}

extension ValueWriter {
  mutating func appendBytes(_ bytes: [UInt8]) {
    appendCount(bytes.count)
    append(bytes)
  }

  mutating func appendText(_ text: String) {
    appendCount(text.utf8.count)
    append(text)
  }
}
