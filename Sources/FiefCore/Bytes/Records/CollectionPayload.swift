/// The payload of a list, a set or a map: the number of elements, then the elements.
///
/// A required element of fixed width is stored as its bytes. Any other element is preceded by its length; an
/// optional element begins with a byte that indicates whether it has a value. In a map each element is
/// preceded by its key, with the key's length.
package enum CollectionPayload {
  /// Calls `body` with the payload of each element, or with `nil` for a nil element.
  package static func forEach(
    _ payload: UnsafeRawBufferPointer,
    type: ColumnType,
    _ body: (_ key: UnsafeRawBufferPointer?, _ element: UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    guard !payload.isEmpty else { return }
    var reader = ValueReader(payload, context: nil)
    let count = try reader.count()
    try forEach(count, in: reader.remaining(), type: type, body)
  }

  /// Calls `body` with each element of a payload whose count was already read.
  static func forEach(
    _ count: Int,
    in elements: UnsafeRawBufferPointer,
    type: ColumnType,
    _ body: (_ key: UnsafeRawBufferPointer?, _ element: UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    var reader = ValueReader(elements, context: nil)
    for _ in 0..<count {
      let key = type.container == .map ? try reader.sized() : nil
      if !type.isOptional, let width = type.kind.fixedWidth {
        try body(key, try reader.take(width))
        continue
      }
      let element = try reader.sized()
      guard type.isOptional else {
        try body(key, element)
        continue
      }
      guard let isSet = element.first else { throw ValueReader.truncated }
      try body(key, isSet == 0 ? nil : UnsafeRawBufferPointer(rebasing: element[1...]))
    }
  }

  /// Returns the elements of a payload that follow the elements of another payload, or `nil` if it does not
  /// begin with them.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if the other payload does not have as many elements as
  ///   its count states.
  static func additions(
    to first: UnsafeRawBufferPointer,
    in second: UnsafeRawBufferPointer,
    type: ColumnType
  ) throws -> (count: Int, elements: UnsafeRawBufferPointer)? {
    guard !first.isEmpty, !second.isEmpty else { return nil }
    var (former, reader) = (ValueReader(first, context: nil), ValueReader(second, context: nil))
    let (before, after) = (try former.count(), try reader.count())
    let (kept, elements) = (former.remaining(), reader.remaining())
    guard before <= after, kept.count <= elements.count,
      UnsafeRawBufferPointer(rebasing: elements[..<kept.count]).hasSameBytes(as: kept)
    else { return nil }
    former = ValueReader(kept, context: nil)
    for _ in 0..<before {
      if type.container == .map { _ = try former.sized() }
      _ = try readElement(of: type, from: &former)
    }
    guard former.isAtEnd else { throw ValueReader.truncated }
    return (after - before, UnsafeRawBufferPointer(rebasing: elements[kept.count...]))
  }

  static func appendElement(
    of type: ColumnType,
    to writer: inout ValueWriter,
    _ body: (inout ValueWriter) throws -> Void
  ) rethrows {
    if !type.isOptional, type.kind.fixedWidth != nil {
      try body(&writer)
    } else {
      try writer.appendSized(body)
    }
  }

  static func readElement(
    of type: ColumnType,
    from reader: inout ValueReader
  ) throws(FiefError) -> UnsafeRawBufferPointer {
    if !type.isOptional, let width = type.kind.fixedWidth { return try reader.take(width) }
    return try reader.sized()
  }

  /// Returns the payload without the links to deleted objects, or `nil` if there are no such links.
  static func removing(
    _ isGone: (UnsafeRawBufferPointer) -> Bool,
    from payload: UnsafeRawBufferPointer,
    type: ColumnType
  ) throws -> [UInt8]? {
    var kept = ValueWriter()
    var count = 0
    var removed = false
    try forEach(payload, type: type) { key, element in
      let leadsThere = element.map(isGone) ?? false
      removed = removed || leadsThere
      // A map keeps the key with the value nil; a list or a set loses the element.
      if leadsThere, type.container != .map || !type.isOptional { return }
      count += 1
      if let key { kept.appendSized { $0.append(key) } }
      appendElement(of: type, to: &kept) { writer in
        if type.isOptional { writer.appendInteger(UInt8(leadsThere || element == nil ? 0 : 1)) }
        if let element, !leadsThere { writer.append(element) }
      }
    }
    guard removed else { return nil }
    var result = ValueWriter()
    result.appendCount(count)
    return result.bytes + kept.bytes
  }
}
