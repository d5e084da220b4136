import LMDB

/// A collection that is too large for its owner's record, in one transaction.
///
/// Its entries are in the tree ``Catalogue/collectionTreeName``; docs/format.md describes their format. A list
/// is a tree of nodes that count their elements. A set or a map has one entry for each element.
package class LargeCollection {
  /// The kind of an entry: the byte after the prefix of its key.
  enum EntryKind {
    /// The root of a list or the count of a set or a map, and the other nodes of a list.
    static let node: UInt8 = 0
    /// An element of a set or a map.
    static let element: UInt8 = 1
    /// The number of additional links to a target, beyond the first one.
    static let repetition: UInt8 = 2
    /// An element in an encrypted store. The key contains the element's token.
    static let token: UInt8 = 3
  }

  let transaction: LMDB.Transaction
  let tree: Database
  let prefix: [UInt8]
  let type: ColumnType

  init(_ prefix: [UInt8], type: ColumnType, tree: Database, in transaction: LMDB.Transaction) {
    self.prefix = prefix
    self.type = type
    self.tree = tree
    self.transaction = transaction
  }

  /// Returns the collection that a marker refers to. The collection may no longer exist.
  package static func at(
    _ marker: CollectionMarker,
    type: ColumnType,
    tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> LargeCollection {
    guard let tree = try tables.collectionTree(in: transaction) else { throw RecordView.damaged }
    return make(marker.prefix, type: type, tree: tree, in: transaction)
  }

  static func make(
    _ prefix: [UInt8],
    type: ColumnType,
    tree: Database,
    in transaction: LMDB.Transaction
  ) -> LargeCollection {
    type.container == .list
      ? LargeList(prefix, type: type, tree: tree, in: transaction)
      : LargeTable(prefix, type: type, tree: tree, in: transaction)
  }

  static var damaged: FiefError {
    FiefError(.damagedRecord, "The checksum of a part of a large collection is wrong.")
  }

  /// Returns the number of elements, or `nil` if the collection does not exist.
  package func count() throws -> Int? { nil }

  /// Returns the number of elements.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if the collection does not exist.
  package final func existingCount() throws -> Int {
    guard let count = try count() else { throw RecordView.damaged }
    return count
  }

  /// Calls `body` with runs of consecutive elements, until it returns `false`.
  ///
  /// The bytes are a copy, so `body` may write, but not to this collection.
  ///
  /// - Returns: Whether `body` received all elements.
  /// - Throws: ``FiefError`` of code `damagedRecord` if the collection does not exist or is incomplete.
  @discardableResult
  package func forEachRun(_ body: (ElementRun) throws -> Bool) throws -> Bool { true }

  /// Calls `body` with each element that is not nil, and with its key in a map.
  final func forEachValue(_ body: (UnsafeRawBufferPointer?, UnsafeRawBufferPointer) throws -> Void) throws {
    try forEachRun { run in
      try run.forEach(type: type) { key, element in
        if let value = try CollectionPayload.value(element, type: type) { try body(key, value) }
      }
      return true
    }
  }

  /// Returns the payload with all elements inline.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if the collection does not exist.
  final func payload() throws -> [UInt8] {
    let count = try existingCount()
    // The count of a set or a map has no checksum, so only a limited amount of memory is reserved for it.
    var writer = ValueWriter(reserving: Swift.min(count, 1 << 16) * 8)
    writer.appendCount(count)
    var found = 0
    try forEachRun { run in
      writer.append(run.bytes)
      found += run.count
      return true
    }
    guard found == count else { throw RecordView.damaged }
    return writer.bytes
  }

  /// Returns the payload in the order of a record. In the tree, long elements and the keys of maps may be in
  /// another order.
  final func recordPayload() throws -> [UInt8] { try CollectionPayload.inOrder(try payload(), type: type) }

  // MARK: Keys

  /// Returns the key of a node. The root, or the count of a set or a map, has the number 0.
  func nodeKey(_ number: UInt64) -> [UInt8] {
    var key = prefix
    key.reserveCapacity(prefix.count + 9)
    key.append(EntryKind.node)
    withUnsafeBytes(of: number.bigEndian) { key += $0 }
    return key
  }

  /// The maximum number of bytes of an element in a key. A longer element is cut off and followed by its
  /// hash.
  static let longestElement = 400
  private static let hashCount = 16

  /// Returns the shortened form of a long element for the key of its entry, or `nil` if the key contains the
  /// whole element.
  static func shortened(_ element: UnsafeRawBufferPointer) -> [UInt8]? {
    guard element.count > longestElement else { return nil }
    var bytes = [UInt8](element[..<longestElement])
    for seed in [UInt64(0), 1] {
      withUnsafeBytes(of: StableHash.hash(element, seed: seed).bigEndian) { bytes += $0 }
    }
    return bytes
  }

  func get(_ key: [UInt8]) throws -> UnsafeRawBufferPointer? {
    try key.withUnsafeBytes { try transaction.get(tree, $0) }
  }

  // MARK: Writing

  func writing() throws -> LMDB.WritableTransaction {
    guard let writing = transaction as? LMDB.WritableTransaction else { throw LMDBError(.readOnly) }
    return writing
  }

  func put(_ key: [UInt8], _ value: [UInt8]) throws {
    try key.withUnsafeBytes { key in try value.withUnsafeBytes { try writing().put(tree, key, $0) } }
  }

  @discardableResult
  func delete(_ key: [UInt8]) throws -> Bool { try key.withUnsafeBytes { try writing().delete(tree, $0) } }

  /// Removes the collection with all of its entries.
  final func removeAll() throws { try Self.removeAll(prefix, in: tree, of: try writing()) }

  /// Removes all entries whose keys begin with a prefix.
  static func removeAll(_ prefix: [UInt8], in tree: Database, of transaction: LMDB.WritableTransaction) throws
  {
    let cursor = try transaction.cursor(tree)
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, cursor.key.starts(with: prefix) {
      try cursor.delete()
      found = try cursor.next()
    }
  }

  // MARK: Repetitions

  private func repetitionKey(of target: UnsafeRawBufferPointer) -> [UInt8] {
    prefix + [EntryKind.repetition] + (Self.shortened(target) ?? [UInt8](target))
  }

  /// Returns the number of additional links to a target, beyond the first one.
  package func repetitions(of target: UnsafeRawBufferPointer) throws -> Int {
    guard let value = try get(repetitionKey(of: target)) else { return 0 }
    var reader = ValueReader(value, context: nil)
    return try reader.count()
  }

  func setRepetitions(_ count: Int, of target: UnsafeRawBufferPointer) throws {
    let key = repetitionKey(of: target)
    if count <= 0 {
      try delete(key)
      return
    }
    var writer = ValueWriter()
    writer.appendCount(count)
    try put(key, writer.bytes)
  }
}
