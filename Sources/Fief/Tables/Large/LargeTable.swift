import LMDB

/// A large set or map: an entry for each element, by its bytes or by its key.
///
/// The value of an entry is a checksum of key and rest, 4 bytes, and, in a map, the element; where the key of the
/// entry was cut, the element of a set, or the key of a map with its length before the element.
final class LargeTable: LargeCollection {
  override func count() throws -> Int? {
    guard let value = try get(nodeKey(0)) else { return nil }
    var reader = ValueReader(value, context: nil)
    let count = try reader.count()
    // The count has no checksum. A number that no store can have is damage, and too large to be added to.
    guard count <= CollectionMarker.mostElements else { throw RecordView.damaged }
    return count
  }

  private var elementsPrefix: [UInt8] { prefix + [EntryKind.element] }

  @discardableResult
  override func forEachRun(_ body: (ElementRun) throws -> Bool) throws -> Bool {
    var last: [UInt8]?
    var count = 0
    while let run = try nextRun(after: &last) {
      count += run.count
      if try !body(run) { return false }
    }
    // `body` may have changed the collection in a write.
    if transaction is LMDB.ReadTransaction, try self.count() ?? 0 != count { throw RecordView.damaged }
    return true
  }

  /// Some elements behind an entry; nil at the end.
  ///
  /// - Parameter last: the key of the entry, nil for the first ones; then that of the last of them.
  func nextRun(after last: inout [UInt8]?) throws -> ElementRun? {
    let elementsPrefix = elementsPrefix
    var writer = ValueWriter(reserving: 4096)
    var count = 0
    let cursor = try transaction.cursor(tree)
    var found = try (last ?? elementsPrefix).withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    if let last, found, cursor.key.elementsEqual(last) { found = try cursor.next() }
    while found, writer.count < 4096, cursor.key.starts(with: elementsPrefix) {
      try append(cursor.key, cursor.value, to: &writer)
      count += 1
      if writer.count >= 4096 { last = [UInt8](cursor.key) }
      found = try cursor.next()
    }
    // The entries behind the last one do not belong to the collection.
    if writer.count < 4096 {
      last = elementsPrefix + [UInt8](repeating: 0xFF, count: 511 - elementsPrefix.count)
    }
    return count == 0 ? nil : ElementRun(writer.bytes, count: count)
  }

  /// The keys of a map.
  func keys() throws -> [String] {
    var keys: [String] = []
    try forEachRun { run in
      try run.forEach(type: type) { key, _ in if let key { keys.append(String(decoding: key, as: UTF8.self)) }
      }
      return true
    }
    return keys
  }

  /// Appends the element of an entry as a payload has it.
  private func append(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    to writer: inout ValueWriter
  ) throws {
    let (name, element) = try self.element(key, value)
    if let name { writer.appendSized { $0.append(name) } }
    CollectionPayload.append(element, type: type, to: &writer)
  }

  private func element(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws
    -> (key: UnsafeRawBufferPointer?, element: UnsafeRawBufferPointer)
  {
    let own = UnsafeRawBufferPointer(rebasing: key[(prefix.count + 1)...])
    let value = try content(value, of: key)
    guard type.container == .map else { return (nil, isCut(key) ? value : own) }
    guard isCut(key) else { return (own, value) }
    var reader = ValueReader(value, context: nil)
    let name = try reader.sized()
    return (name, reader.rest)
  }

  /// Calls `body` with the element of a key, in a map; nil where there is none.
  func withElement<Result>(
    of name: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    let (key, isCut) = elementKey(EntryKind.element, name)
    guard let value = try content(of: key) else { return try body(nil) }
    guard isCut else { return try body(value) }
    var reader = ValueReader(value, context: nil)
    guard try reader.sized().elementsEqual(name) else { throw Self.alike }
    return try body(reader.rest)
  }

  /// Whether an element is in a set.
  func contains(_ element: UnsafeRawBufferPointer) throws -> Bool {
    let (key, isCut) = elementKey(EntryKind.element, element)
    guard let value = try content(of: key) else { return false }
    guard !isCut || value.elementsEqual(element) else { throw Self.alike }
    return true
  }

  private static var alike: FiefError {
    FiefError(.invalidValue, "Two long elements of a collection have the same hash.")
  }

  // MARK: Checksums

  private static func checksum(_ key: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer) -> UInt32 {
    RecordChecksum.compute(key) &* 31 ^ RecordChecksum.compute(content)
  }

  private func content(of key: [UInt8]) throws -> UnsafeRawBufferPointer? {
    guard let value = try get(key) else { return nil }
    return try key.withUnsafeBytes { try content(value, of: $0) }
  }

  private func content(_ value: UnsafeRawBufferPointer, of key: UnsafeRawBufferPointer) throws
    -> UnsafeRawBufferPointer
  {
    var reader = ValueReader(value, context: nil)
    guard try reader.integer(UInt32.self) == Self.checksum(key, reader.rest) else { throw Self.damaged }
    return reader.rest
  }

  private func put(_ key: [UInt8], content: [UInt8]) throws {
    let checksum = key.withUnsafeBytes { key in content.withUnsafeBytes { Self.checksum(key, $0) } }
    try put(key, withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) } + content)
  }

  // MARK: Writing

  func setCount(_ count: Int) throws {
    var writer = ValueWriter()
    writer.appendCount(count)
    try put(nodeKey(0), writer.bytes)
  }

  /// Adds an element to a set; returns whether it was not there. The count is the caller's to set.
  func insert(_ element: UnsafeRawBufferPointer) throws -> Bool {
    if try contains(element) { return false }
    let (key, isCut) = elementKey(EntryKind.element, element)
    try put(key, content: isCut ? [UInt8](element) : [])
    return true
  }

  /// Removes an element from a set, or the entry of a key from a map; returns whether it was there.
  func remove(_ element: UnsafeRawBufferPointer) throws -> Bool {
    if type.container == .map {
      guard try withElement(of: element, { $0 != nil }) else { return false }
    } else {
      guard try contains(element) else { return false }
    }
    return try delete(elementKey(EntryKind.element, element).key)
  }

  /// Sets the element of a key in a map; returns the one that was there.
  func set(_ element: UnsafeRawBufferPointer, of name: UnsafeRawBufferPointer) throws -> [UInt8]? {
    let old = try withElement(of: name) { $0.map { [UInt8]($0) } }
    let (key, isCut) = elementKey(EntryKind.element, name)
    var writer = ValueWriter(reserving: element.count + 16)
    if isCut { writer.appendSized { $0.append(name) } }
    writer.append(element)
    try put(key, content: writer.bytes)
    return old
  }
}
