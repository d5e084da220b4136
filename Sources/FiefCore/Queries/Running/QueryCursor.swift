import Foundation
import LMDB

/// A place in the order of a query: where a page ends and the next one begins.
///
/// ```swift
/// let newest = messages.sorted(byKeyPath: "date", ascending: false)
/// let page = try newest.page(20)
/// // Later, perhaps in another process:
/// let next = try newest.page(20, after: page.end)
/// ```
/// A cursor holds the values of the properties that the query is ordered by, and the key of an object, so that
/// objects with equal values have places of their own. It keeps naming its place when the object is changed or
/// deleted.
///
/// It is bound to the store and to the query: type, conditions, order and distinct; limits and other cursors may
/// differ. With another query it is refused as `invalidCursor`.
///
/// A server can hand its ``text`` to a client, or encode it: it is short, and consists of letters, digits,
/// `-` and `_`. It is neither encrypted nor signed: a client can read it and forge a place; the objects
/// behind that are always a part of the query's objects.
public struct QueryCursor: Hashable, Sendable {
  /// The fingerprint of the store and of the query that it belongs to.
  let fingerprint: UInt64
  let values: [QueryValue]
  let key: ObjectKey

  init(fingerprint: UInt64, values: [QueryValue], key: ObjectKey) {
    self.fingerprint = fingerprint
    self.values = values
    self.key = key
  }

  /// Reads a cursor from its text.
  ///
  /// - Throws: ``FiefError`` of code `invalidCursor` for text that is none.
  public init(text: String) throws {
    guard let bytes = Base64URL.decode(text), let cursor = Self.decode(bytes) else {
      throw FiefError(.invalidCursor, "The text is not that of a cursor.")
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
  /// Reads the cursor's text.
  ///
  /// - Throws: what the decoder throws, and ``FiefError`` of code `invalidCursor`.
  public init(from decoder: any Decoder) throws {
    try self.init(text: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the cursor's text.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// The bytes of a cursor: a version, the fingerprint, the values, the key, and a check of all that.
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

  /// Writes the key of a place, behind the number of its values and these.
  static func append(_ key: UnsafeRawBufferPointer, to writer: inout ValueWriter) {
    writer.appendCount(key.count)
    writer.append(key)
  }

  /// Reads the number of values, these, and the key; nil where the key is none.
  init?(fingerprint: UInt64, place reader: inout ValueReader) throws {
    var values: [QueryValue] = []
    for _ in 0..<(try reader.count()) { values.append(try QueryValue(from: &reader)) }
    let key = [UInt8](try reader.sized())
    // The key of an object in a list has a place before it.
    let most = ObjectKey.maximumLength + MemberPlace.count
    guard (1...most).contains(key.count) else { return nil }
    self.init(fingerprint: fingerprint, values: values, key: ObjectKey(bytes: key))
  }
}
