extension KeyEncoder {
  /// The bytes of a UUID.
  @usableFromInline package typealias UUIDBytes = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
  )
  /// The bytes of an object id.
  @usableFromInline package typealias ObjectIDBytes = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
  )

  /// Appends text as its UTF-8 bytes.
  @usableFromInline package mutating func append(string: String) {
    bytes.append(KeyTag.string)
    let isContiguous: Void? = string.utf8.withContiguousStorageIfAvailable { content in
      appendEscaped(UnsafeRawBufferPointer(content))
    }
    if isContiguous == nil {
      var copy = string
      copy.withUTF8 { appendEscaped(UnsafeRawBufferPointer($0)) }
    }
  }

  /// Appends bytes.
  @usableFromInline package mutating func append(bytes content: UnsafeRawBufferPointer) {
    bytes.append(KeyTag.bytes)
    appendEscaped(content)
  }

  /// Appends bytes.
  @usableFromInline package mutating func append(bytes content: [UInt8]) {
    content.withUnsafeBytes { append(bytes: $0) }
  }

  /// Appends a decimal number.
  ///
  /// - Parameter content: The order-preserving bytes of the number, as created by the layer above.
  @usableFromInline package mutating func append(decimal content: UnsafeRawBufferPointer) {
    bytes.append(KeyTag.decimal)
    appendEscaped(content)
  }

  /// Appends a decimal number.
  ///
  /// - Parameter content: The order-preserving bytes of the number, as created by the layer above.
  @usableFromInline package mutating func append(decimal content: [UInt8]) {
    content.withUnsafeBytes { append(decimal: $0) }
  }

  /// Appends a UUID.
  @inlinable
  package mutating func append(uuid: UUIDBytes) {
    bytes.append(KeyTag.uuid)
    withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) }
  }

  /// Appends a UUID.
  ///
  /// - Throws: ``KeyError`` with `.wrongLength` unless there are 16 bytes. Nothing is then appended.
  @usableFromInline package mutating func append(uuid: UnsafeRawBufferPointer) throws(KeyError) {
    guard uuid.count == 16 else { throw KeyError(.wrongLength) }
    bytes.append(KeyTag.uuid)
    bytes.append(contentsOf: uuid)
  }

  /// Appends an object id.
  @inlinable
  package mutating func append(objectID: ObjectIDBytes) {
    bytes.append(KeyTag.objectID)
    withUnsafeBytes(of: objectID) { bytes.append(contentsOf: $0) }
  }

  /// Appends an object id.
  ///
  /// - Throws: ``KeyError`` with `.wrongLength` unless there are 12 bytes. Nothing is then appended.
  @usableFromInline package mutating func append(objectID: UnsafeRawBufferPointer) throws(KeyError) {
    guard objectID.count == 12 else { throw KeyError(.wrongLength) }
    bytes.append(KeyTag.objectID)
    bytes.append(contentsOf: objectID)
  }

  /// Appends an encoded key, or a prefix of one, without changes.
  @inlinable
  package mutating func append(raw content: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: content)
  }

  /// Appends an encoded key, or a prefix of one, without changes.
  @inlinable
  package mutating func append(raw content: [UInt8]) {
    bytes.append(contentsOf: content)
  }

  /// Appends content and its terminator.
  ///
  /// The terminator is less than any byte with which content can begin, so longer content sorts later. An
  /// escaped byte keeps its position in the order: `00` < `01 01` < `01 02` < `02`.
  private mutating func appendEscaped(_ content: UnsafeRawBufferPointer) {
    var rest = content
    while true {
      let plain = Self.plainCount(rest)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest[..<plain]))
      guard plain < rest.count else { break }
      bytes.append(KeyTag.escape)
      bytes.append(rest[plain] &+ 1)
      rest = UnsafeRawBufferPointer(rebasing: rest[(plain + 1)...])
    }
    bytes.append(KeyTag.terminator)
  }

  /// Returns the number of leading bytes that need no escape.
  private static func plainCount(_ content: UnsafeRawBufferPointer) -> Int {
    var index = 0
    while index + 8 <= content.count {
      // SAFETY: the condition has checked that eight bytes remain.
      let word = content.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // Checks eight bytes at once: a high bit remains if and only if some byte of the word is below 2.
      // (Because of a borrow, the high bit may also remain in a byte above the lowest match, but no match is
      // missed.)
      if (word &- 0x0202_0202_0202_0202) & ~word & 0x8080_8080_8080_8080 != 0 { break }
      index += 8
    }
    while index < content.count, content[index] > 1 { index += 1 }
    return index
  }
}
