import Foundation
import LMDB

/// One value in the key that rows are sorted by: an element of a key, after a byte that says where nil goes.
enum OrderElement {
  private static let nilFirst: UInt8 = 0
  private static let present: UInt8 = 1
  private static let nilLast: UInt8 = 2

  static func append(
    _ value: QueryValue,
    kind: ColumnType.Kind?,
    _ order: QueryOrder,
    to writer: inout ValueWriter
  ) throws {
    guard value != .null else {
      let isFirst = order.nils == .smallest ? order.ascending : order.nils == .first
      return writer.appendInteger(isFirst ? nilFirst : nilLast)
    }
    writer.appendInteger(present)
    if case .locale = order.collation, case .string(let text) = value {
      return writer.append(text)
    }
    let start = writer.count
    var encoder = KeyEncoder()
    switch value {
    case .null: break
    case .bool(let value): encoder.append(value)
    case .integer(let value): encoder.append(value)
    case .double(let value): encoder.append(value == 0 ? 0 : value)
    case .string(let value): encoder.append(string: value)
    case .data(let value): encoder.append(bytes: value)
    case .date(let value): encoder.append(date: value == 0 ? 0 : value)
    case .uuid(let value): encoder.append(uuid: value.uuid)
    case .decimal, .objectId, .object: break
    }
    writer.append(encoder.bytes)
    if !order.ascending { invert(&writer, from: start) }
  }

  /// The opposite order: no element is the beginning of another one, so that inverting the bytes inverts it.
  private static func invert(_ writer: inout ValueWriter, from start: Int) {
    for offset in start..<writer.count {
      let address = writer.address(offset)
      address.storeBytes(of: ~address.load(as: UInt8.self), as: UInt8.self)
    }
  }

  /// The order of two elements that are texts or nil, as a language has it. What is the same to the language is
  /// ordered by its bytes.
  static func compare(
    _ first: UnsafeRawBufferPointer,
    _ second: UnsafeRawBufferPointer,
    _ order: QueryOrder,
    _ locale: Locale
  ) -> Int {
    guard first.first == present, second.first == present else { return ByteRange.compare(first, second) }
    let a = String(decoding: first.dropFirst(), as: UTF8.self)
    let b = String(decoding: second.dropFirst(), as: UTF8.self)
    var result = a.compare(b, locale: locale).rawValue
    if result == 0 { result = ByteRange.compare(first, second) }
    return order.ascending ? result : -result
  }
}
