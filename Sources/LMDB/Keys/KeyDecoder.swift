#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reads the elements of a key.
///
/// The decoder accepts any bytes: bytes that are not a key cause a ``KeyError``, never a trap. It accepts
/// only the form that ``KeyEncoder`` writes, so a decoded key encodes to the same bytes again. After an
/// error, the decoder stays at the element that failed.
@usableFromInline package struct KeyDecoder {
  @usableFromInline let buffer: UnsafeRawBufferPointer
  @usableFromInline var offset = 0

  /// Creates a decoder at the start of a key.
  ///
  /// - Parameter buffer: The key. It must stay valid as long as the decoder is used.
  @inlinable
  package init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

  /// Whether all elements have been read.
  @inlinable
  package var isAtEnd: Bool { offset >= buffer.count }

  /// The bytes that have not been read.
  @inlinable
  package var remaining: UnsafeRawBufferPointer {
    guard let base = buffer.baseAddress else { return buffer }
    // SAFETY: `offset` never exceeds the count.
    return UnsafeRawBufferPointer(start: base + offset, count: buffer.count &- offset)
  }

  /// Reads the next element.
  ///
  /// - Returns: `nil` at the end of the key.
  /// - Throws: ``KeyError`` if the bytes are not an element.
  @usableFromInline package mutating func next() throws(KeyError) -> KeyElement? {
    guard offset < buffer.count else { return nil }
    let tag = buffer[offset]
    let element: KeyElement
    var end = offset + 1
    switch tag {
    case KeyTag.null: element = .null
    case KeyTag.false: element = .bool(false)
    case KeyTag.true: element = .bool(true)
    case KeyTag.bytes: element = .bytes(try unescaped(&end))
    case KeyTag.decimal: element = .decimal(try unescaped(&end))
    case KeyTag.string:
      guard let text = String(validating: try unescaped(&end), as: UTF8.self) else {
        throw KeyError(.invalidString, at: offset)
      }
      element = .string(text)
    case KeyTag.lowestInteger...KeyTag.highestInteger: element = try integer(tag, &end)
    case KeyTag.float: element = .float(KeyOrder.float(try bigEndian(UInt32.self, &end)))
    case KeyTag.double: element = .double(KeyOrder.double(try bigEndian(UInt64.self, &end)))
    case KeyTag.date: element = .date(KeyOrder.double(try bigEndian(UInt64.self, &end)))
    case KeyTag.uuid: element = .uuid(try fixed(16, &end))
    case KeyTag.objectID: element = .objectID(try fixed(12, &end))
    default: throw KeyError(.unknownTag, at: offset)
    }
    offset = end
    return element
  }

  /// Reads the next element as an integer, without allocating memory.
  ///
  /// - Throws: ``KeyError`` with `.endOfKey`, `.unexpectedType`, or `.outOfRange` for an integer above
  ///   `Int64.max`.
  @inlinable
  package mutating func nextInteger() throws(KeyError) -> Int64 {
    guard offset < buffer.count else { throw KeyError(.endOfKey, at: offset) }
    let tag = buffer[offset]
    guard tag >= KeyTag.lowestInteger, tag <= KeyTag.highestInteger else {
      throw KeyError(.unexpectedType, at: offset)
    }
    var end = offset &+ 1
    let (magnitude, isNegative) = try magnitude(tag, &end)
    if isNegative {
      offset = end
      return Int64(bitPattern: 0 &- magnitude)
    }
    guard magnitude <= UInt64(Int64.max) else { throw KeyError(.outOfRange, at: offset) }
    offset = end
    return Int64(bitPattern: magnitude)
  }

  /// Reads the next element if it is a positive integer, as in most keys. Otherwise returns `nil` and reads
  /// nothing; ``nextInteger()`` then reports the reason.
  @inlinable
  @inline(__always)
  package mutating func nextPositiveInteger() -> Int64? {
    guard offset < buffer.count, let base = buffer.baseAddress else { return nil }
    let count = Int(base.load(fromByteOffset: offset, as: UInt8.self)) &- Int(KeyTag.integer)
    guard count > 0, count <= 8, buffer.count &- offset > count else { return nil }
    // SAFETY: the guard above has checked that `count` bytes follow the tag.
    let first = base.load(fromByteOffset: offset &+ 1, as: UInt8.self)
    guard first != 0, count < 8 || first < 0x80 else { return nil }
    var value = UInt64(first)
    for index in 1..<count {
      value = (value &<< 8) | UInt64(base.load(fromByteOffset: offset &+ 1 &+ index, as: UInt8.self))
    }
    offset &+= count &+ 1
    return Int64(bitPattern: value)
  }

  /// Skips the next element without decoding it. Truncated elements can be skipped too.
  ///
  /// - Throws: ``KeyError`` with `.endOfKey` or `.unknownTag`.
  @inlinable
  @inline(__always)
  package mutating func skip() throws(KeyError) {
    // The elements of ordered indexes are usually dates and numbers of eight bytes.
    if offset < buffer.count, let base = buffer.baseAddress, buffer.count &- offset > 8 {
      let tag = base.load(fromByteOffset: offset, as: UInt8.self)
      if tag == KeyTag.date || tag == KeyTag.double {
        offset &+= 9
        return
      }
    }
    try skipAny()
  }

  @usableFromInline
  mutating func skipAny() throws(KeyError) {
    guard offset < buffer.count else { throw KeyError(.endOfKey, at: offset) }
    let tag = buffer[offset]
    let count: Int
    switch tag {
    case KeyTag.null, KeyTag.false, KeyTag.true: count = 0
    case KeyTag.bytes, KeyTag.string, KeyTag.decimal:
      offset = try terminator(after: offset + 1) + 1
      return
    case KeyTag.lowestInteger...KeyTag.highestInteger: count = abs(Int(tag) - Int(KeyTag.integer))
    case KeyTag.float: count = 4
    case KeyTag.double, KeyTag.date: count = 8
    case KeyTag.uuid: count = 16
    case KeyTag.objectID: count = 12
    default: throw KeyError(.unknownTag, at: offset)
    }
    guard buffer.count - offset > count else { throw KeyError(.endOfKey, at: offset) }
    offset += count + 1
  }
}

extension KeyDecoder {
  /// Returns the magnitude of an integer whose content begins at `end`, and moves `end` past the content.
  @inlinable
  @inline(__always)
  func magnitude(_ tag: UInt8, _ end: inout Int) throws(KeyError) -> (UInt64, isNegative: Bool) {
    let isNegative = tag < KeyTag.integer
    let count = Int(isNegative ? KeyTag.integer &- tag : tag &- KeyTag.integer)
    guard buffer.count &- end >= count else { throw KeyError(.endOfKey, at: offset) }
    guard count > 0 else { return (0, false) }
    var magnitude: UInt64 = 0
    guard let base = buffer.baseAddress else { throw KeyError(.endOfKey, at: offset) }
    // SAFETY: the guard above has checked that `count` bytes remain.
    for index in 0..<count {
      magnitude = (magnitude &<< 8) | UInt64(base.load(fromByteOffset: end &+ index, as: UInt8.self))
    }
    if isNegative { magnitude = ~magnitude & (UInt64.max &>> UInt64(64 &- (count &<< 3))) }
    // The first byte of a magnitude is never zero, and no negative integer is below Int64.min.
    guard magnitude &>> UInt64((count &- 1) &<< 3) != 0, !isNegative || magnitude <= 1 &<< 63 else {
      throw KeyError(.notCanonical, at: offset)
    }
    end &+= count
    return (magnitude, isNegative)
  }

  private func integer(_ tag: UInt8, _ end: inout Int) throws(KeyError) -> KeyElement {
    let (magnitude, isNegative) = try magnitude(tag, &end)
    if isNegative { return .integer(Int64(bitPattern: 0 &- magnitude)) }
    return magnitude > UInt64(Int64.max) ? .unsigned(magnitude) : .integer(Int64(bitPattern: magnitude))
  }

  private func bigEndian<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type,
    _ end: inout Int
  ) throws(KeyError) -> T {
    let size = MemoryLayout<T>.size
    guard buffer.count - end >= size else { throw KeyError(.endOfKey, at: offset) }
    // SAFETY: the guard has checked that `size` bytes remain.
    defer { end += size }
    return T(bigEndian: buffer.loadUnaligned(fromByteOffset: end, as: type))
  }

  private func fixed(_ count: Int, _ end: inout Int) throws(KeyError) -> [UInt8] {
    guard buffer.count - end >= count else { throw KeyError(.endOfKey, at: offset) }
    defer { end += count }
    return Array(buffer[end..<(end + count)])
  }

  /// Returns the content that begins at `end` without its escapes, and moves `end` past the terminator.
  private func unescaped(_ end: inout Int) throws(KeyError) -> [UInt8] {
    let stop = try terminator(after: end)
    var content: [UInt8] = []
    content.reserveCapacity(stop - end)
    var index = end
    while index < stop {
      var byte = buffer[index]
      if byte == KeyTag.escape {
        index += 1
        // The next byte must be 1 or 2. The terminator, zero, wraps around and is rejected too.
        byte = buffer[index] &- 1
        guard byte <= 1 else { throw KeyError(.notCanonical, at: offset) }
      }
      content.append(byte)
      index += 1
    }
    end = stop + 1
    return content
  }

  /// Returns the offset of the terminator of the content that begins at `start`.
  private func terminator(after start: Int) throws(KeyError) -> Int {
    // SAFETY: `start` is less than the count, and memchr reads only the rest of the buffer.
    guard start < buffer.count, let base = buffer.baseAddress,
      let zero = memchr(base + start, 0, buffer.count - start)
    else { throw KeyError(.endOfKey, at: offset) }
    return UnsafeRawPointer(zero) - base
  }
}
