/// The record's reference to a collection in the tree of large collections: the collection's key prefix,
/// count and version.
///
/// The marker begins with a count of zero encoded in two bytes. A payload with inline elements never begins
/// this way, because its count is encoded in as few bytes as possible.
package struct CollectionMarker: Equatable {
  private static let mark: (UInt8, UInt8) = (0x80, 0x00)
  private static let headCount = 2
  /// The size of the common prefix of a collection's keys: the type, the column and the collection's own
  /// number.
  package static let prefixCount = 14
  /// An upper bound on the number of elements. No file can contain more, because each element takes at least
  /// one byte.
  static let mostElements = 1 << 48

  package let prefix: [UInt8]
  package var count: Int
  /// The version of the elements. Every write that changes them assigns a new version. It is 0 in records of
  /// builds without versions.
  package var version: UInt64 = 0

  init(type: UInt32, column: UInt16, number: UInt64, count: Int) {
    var prefix = Self.columnPrefix(type: type, column: column)
    withUnsafeBytes(of: number.bigEndian) { prefix += $0 }
    self.prefix = prefix
    self.count = count
  }

  /// Reads the marker in a payload, or returns `nil` if the payload contains the elements themselves.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` for an incomplete marker.
  package init?(_ payload: UnsafeRawBufferPointer) throws(FiefError) {
    guard Self.isMarker(payload) else { return nil }
    var reader = ValueReader(UnsafeRawBufferPointer(rebasing: payload[Self.headCount...]), context: nil)
    prefix = [UInt8](try reader.take(Self.prefixCount))
    count = try reader.count()
    guard count <= Self.mostElements else { throw RecordView.damaged }
    if !reader.isAtEnd { version = try reader.integer(UInt64.self) }
  }

  @inline(__always)
  package static func isMarker(_ payload: UnsafeRawBufferPointer) -> Bool {
    payload.count > headCount && payload[0] == mark.0 && payload[1] == mark.1
  }

  /// Returns the prefix of the keys of all collections of a column.
  static func columnPrefix(type: UInt32, column: UInt16) -> [UInt8] {
    withUnsafeBytes(of: type.bigEndian) { [UInt8]($0) }
      + withUnsafeBytes(of: column.bigEndian) { [UInt8]($0) }
  }

  var payload: [UInt8] {
    var writer = ValueWriter(reserving: 32)
    writer.appendInteger(Self.mark.0)
    writer.appendInteger(Self.mark.1)
    writer.append(prefix)
    writer.appendCount(count)
    if version != 0 { writer.appendInteger(version) }
    return writer.bytes
  }

  /// Whether the collection belongs to a column of a type.
  package func belongs(to column: UInt16, of type: UInt32) -> Bool {
    prefix.starts(with: Self.columnPrefix(type: type, column: column))
  }
}

extension CollectionMarker {
  /// Returns the elements that a flush adds to a collection. In a record that is passed to the writer, their
  /// payload follows the marker.
  ///
  /// - Parameter payload: the payload that the marker was read from.
  func additions(in payload: UnsafeRawBufferPointer) throws(FiefError) -> ElementRun {
    let size = self.payload.count
    guard payload.count > size else { return .none }
    return try ElementRun(payload: UnsafeRawBufferPointer(rebasing: payload[size...]))
  }
}

extension CollectionPayload {
  /// The maximum size of a payload inside the record. Above it, the elements are kept in the tree of large
  /// collections. They return to the record when their payload is at most half this size and the collection
  /// is a list of one node, or a set or map of at most 64 elements.
  package static let inlineLimit = 4_000

  /// Returns the number of elements in a payload, or in the tree that it refers to.
  static func count(_ payload: UnsafeRawBufferPointer) throws(FiefError) -> Int {
    if let marker = try CollectionMarker(payload) { return marker.count }
    if payload.isEmpty { return 0 }
    var reader = ValueReader(payload, context: nil)
    return try reader.count()
  }

  /// Returns the value of an element that ``readElement(of:from:)`` returned, or `nil` if the value is nil.
  package static func value(_ element: UnsafeRawBufferPointer, type: ColumnType) throws(FiefError)
    -> UnsafeRawBufferPointer?
  {
    guard type.isOptional else { return element }
    guard let isSet = element.first else { throw ValueReader.truncated }
    return isSet == 0 ? nil : UnsafeRawBufferPointer(rebasing: element[1...])
  }

  /// Appends an element in the form that ``readElement(of:from:)`` returns.
  static func append(_ element: UnsafeRawBufferPointer, type: ColumnType, to writer: inout ValueWriter) {
    appendElement(of: type, to: &writer) { $0.append(element) }
  }
}

/// Consecutive elements, encoded as in a payload after its count.
package struct ElementRun {
  package var bytes: [UInt8] = []
  package var count = 0

  package static let none = ElementRun()

  /// The approximate size in bytes of the elements that are returned at a time.
  static let usualBytes = 4096

  package init() {}

  init(_ bytes: [UInt8], count: Int) {
    self.bytes = bytes
    self.count = count
  }

  /// Reads the elements of a payload that contains them.
  package init(payload: UnsafeRawBufferPointer) throws(FiefError) {
    guard !payload.isEmpty else { return }
    var reader = ValueReader(payload, context: nil)
    count = try reader.count()
    bytes = [UInt8](reader.rest)
  }

  /// The payload of the elements.
  var payload: [UInt8] {
    var writer = ValueWriter(reserving: bytes.count + 9)
    writer.appendCount(count)
    writer.append(bytes)
    return writer.bytes
  }

  /// Calls `body` with each element, in the form that ``CollectionPayload/readElement(of:from:)`` returns.
  package func forEach(
    type: ColumnType,
    _ body: (_ key: UnsafeRawBufferPointer?, _ element: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    _ = try bytes.withUnsafeBytes { buffer in
      try Self.forEach(buffer, count: count, type: type) {
        try body($0, $1)
        return true
      }
    }
  }

  /// Calls `body` with each element in a range of bytes until it returns false.
  ///
  /// - Returns: whether `body` was called with all elements.
  @discardableResult
  package static func forEach(
    _ bytes: UnsafeRawBufferPointer,
    count: Int,
    type: ColumnType,
    _ body: (_ key: UnsafeRawBufferPointer?, _ element: UnsafeRawBufferPointer) throws -> Bool
  ) throws -> Bool {
    var reader = ValueReader(bytes, context: nil)
    for _ in 0..<count {
      let key = type.container == .map ? try reader.sized() : nil
      if try !body(key, try CollectionPayload.readElement(of: type, from: &reader)) { return false }
    }
    return true
  }
}
