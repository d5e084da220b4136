import Foundation
import LMDB

/// A position in the order of a query, between the end of a page and the beginning of the next page.
///
/// ```swift
/// let newest = messages.sorted(byKeyPath: "date", ascending: false)
/// let page = try newest.page(20)
/// // Later, perhaps in another process:
/// let next = try newest.page(20, after: page.end)
/// ```
/// A cursor contains the values of the properties that define the query's order, and the key of an object, so
/// that objects with equal values have distinct positions. The cursor stays valid when the object is changed
/// or deleted.
///
/// A cursor is bound to the store and to the query: its type, conditions, order and distinct properties.
/// Limits and other cursors may differ. Another query rejects the cursor with an error of code
/// `invalidCursor`.
///
/// A server can send a cursor's ``text`` to a client or encode the cursor. The text is short and consists of
/// letters, digits, `-` and `_`. It is neither encrypted nor signed: a client can read it and forge a
/// position. The page after a forged position still contains only objects of the query.
public struct QueryCursor: Hashable, Sendable {
  /// The fingerprint of the store and the query to which the cursor belongs.
  let fingerprint: UInt64
  let values: [QueryValue]
  let key: ObjectKey

  init(fingerprint: UInt64, values: [QueryValue], key: ObjectKey) {
    self.fingerprint = fingerprint
    self.values = values
    self.key = key
  }

  /// Creates a cursor from its text.
  ///
  /// - Throws: ``FiefError`` of code `invalidCursor` if the text is not a cursor.
  public init(text: String) throws {
    guard let bytes = Base64URL.decode(text), let cursor = Self.decode(bytes) else {
      throw FiefError(.invalidCursor, "The text is not a valid cursor.")
    }
    self = cursor
  }

  /// The cursor as text.
  public var text: String { Base64URL.encode(encoded) }
}

extension QueryCursor: CustomStringConvertible {
  /// The cursor as text.
  public var description: String { text }
}

extension QueryCursor: Codable {
  /// Decodes the cursor from its text.
  ///
  /// - Throws: an error of the decoder, or ``FiefError`` of code `invalidCursor`.
  public init(from decoder: any Decoder) throws {
    try self.init(text: try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the cursor as its text.
  ///
  /// - Throws: an error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// The encoding of a cursor: a version, the fingerprint, the values, the key, and a checksum of all these.
extension QueryCursor {
  private static let version: UInt8 = 1
  private static let checkSize = 4

  private var encoded: [UInt8] {
    var writer = ValueWriter()
    writer.appendInteger(Self.version)
    writer.appendInteger(fingerprint)
    writer.appendCount(values.count)
    for value in values { value.append(to: &writer) }
    key.bytes.withUnsafeBytes { Self.append($0, to: &writer) }
    writer.appendInteger(writer.withBytes(Self.check))
    return writer.bytes
  }

  private static func check(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: StableHash.hash(bytes))
  }

  private static func decode(_ bytes: [UInt8]) -> QueryCursor? {
    bytes.withUnsafeBytes { bytes in
      guard bytes.count > checkSize else { return nil }
      let content = UnsafeRawBufferPointer(rebasing: bytes.dropLast(checkSize))
      let stored = bytes.loadUnaligned(fromByteOffset: content.count, as: UInt32.self)
      guard UInt32(littleEndian: stored) == check(content) else { return nil }
      return try? decode(content)
    }
  }

  private static func decode(_ content: UnsafeRawBufferPointer) throws -> QueryCursor? {
    var reader = ValueReader(content, context: nil)
    guard try reader.integer(UInt8.self) == version else { return nil }
    let fingerprint = try reader.integer(UInt64.self)
    guard let cursor = try QueryCursor(fingerprint: fingerprint, place: &reader), reader.isAtEnd else {
      return nil
    }
    return cursor
  }

  /// Appends the key of a position, after the number of its values and the values themselves.
  static func append(_ key: UnsafeRawBufferPointer, to writer: inout ValueWriter) {
    writer.appendCount(key.count)
    writer.append(key)
  }

  /// Reads the number of values, the values, and the key. Returns `nil` if the key is invalid.
  init?(fingerprint: UInt64, place reader: inout ValueReader) throws {
    var values: [QueryValue] = []
    for _ in 0..<(try reader.count()) { values.append(try QueryValue(from: &reader)) }
    let key = [UInt8](try reader.sized())
    // The key of an object in a list is preceded by the object's position in the list.
    let most = ObjectKey.maximumLength + MemberPlace.count
    guard (1...most).contains(key.count) else { return nil }
    self.init(fingerprint: fingerprint, values: values, key: ObjectKey(bytes: key))
  }
}
