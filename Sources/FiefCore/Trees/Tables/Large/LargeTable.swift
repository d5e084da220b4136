import LMDB

/// A large set or map with a ``LargeEntry`` for each element.
///
/// In an unencrypted store, the entries are in the order of their names; in an encrypted store, in the order
/// of their tokens.
package final class LargeTable: LargeCollection {
  /// Computes the tokens of names; `nil` if names are stored in clear.
  private let tokens: CollectionTokens?

  override init(_ prefix: [UInt8], type: ColumnType, tree: Database, in transaction: LMDB.Transaction) {
    tokens = CollectionTokens(for: type, in: transaction)
    super.init(prefix, type: type, tree: tree, in: transaction)
  }

  package override func count() throws -> Int? {
    guard let value = try get(nodeKey(0)) else { return nil }
    var reader = ValueReader(value, context: nil)
    let count = try reader.count()
    // The count has no checksum. A count above the limit of a store is a sign of damage, and adding to it
    // could overflow.
    guard count <= CollectionMarker.mostElements else { throw RecordView.damaged }
    return count
  }

  // MARK: Walking

  /// Whether the tree has the entries in another order than the order of their names.
  var isOutOfOrder: Bool { tokens != nil }

  private var elementsPrefix: [UInt8] { prefix + [tokens == nil ? EntryKind.element : EntryKind.token] }

  @discardableResult
  package override func forEachRun(_ body: (ElementRun) throws -> Bool) throws -> Bool {
    var runs = try LargeRuns(self)
    while let run = try runs.next() {
      if try !body(run) { return false }
    }
    return true
  }

  /// Returns all entries in the order of their names. Used if the tree has another order.
  ///
  /// In a read transaction, the store caches the sorted entries.
  func sortedEntries() throws -> SortedEntries {
    let commit = transaction is LMDB.ReadTransaction ? transaction.id : nil
    if let commit, let known = tokens?.knownEntries(of: prefix, at: commit) { return known }
    var entries = SortedEntries()
    try forEachEntry { _, entry in
      entries.add(entry.name)
      return true
    }
    entries.sort()
    if let commit { tokens?.keep(entries, of: prefix, at: commit) }
    return entries
  }

  /// Returns a run of elements from sorted entries, beginning at an index, and advances the index. The result
  /// is empty at the end.
  func run(of sorted: SortedEntries, from place: inout Int) throws -> ElementRun {
    var writer = ValueWriter(reserving: ElementRun.usualBytes)
    var count = 0
    while place < sorted.count, writer.count < ElementRun.usualBytes {
      try sorted.withName(at: place) { name in
        guard type.container == .map else {
          count += 1
          return CollectionPayload.append(name, type: type, to: &writer)
        }
        try withElement(of: name) { element in
          guard let element else { throw Self.damaged }
          count += 1
          writer.appendSized { $0.append(name) }
          CollectionPayload.append(element, type: type, to: &writer)
        }
      }
      place += 1
    }
    return ElementRun(writer.bytes, count: count)
  }

  /// Whether the key of each entry matches the entry's name.
  package func hasRightKeys() throws -> Bool {
    try forEachEntry { key, entry in LargeEntry.hasName(key) || key.elementsEqual(entryKey(of: entry.name)) }
  }

  /// Calls `body` with each entry in the order of the tree, until it returns `false`. `body` must not write.
  ///
  /// - Returns: Whether `body` received all entries.
  @discardableResult
  private func forEachEntry(_ body: (UnsafeRawBufferPointer, LargeEntry) throws -> Bool) throws -> Bool {
    let cursor = try transaction.cursor(tree)
    let elementsPrefix = elementsPrefix
    var found = try elementsPrefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, cursor.key.starts(with: elementsPrefix) {
      guard try body(cursor.key, try LargeEntry(key: cursor.key, value: cursor.value, type: type)) else {
        return false
      }
      found = try cursor.next()
    }
    return true
  }

  /// Returns a run of elements after an entry, in the order of the tree, or `nil` at the end.
  ///
  /// - Parameter last: The key of the entry after which the run begins, or `nil` for the first run. The
  ///   method sets it to the key of the last returned entry.
  func nextRun(after last: inout [UInt8]?) throws -> ElementRun? {
    let elementsPrefix = elementsPrefix
    var writer = ValueWriter(reserving: ElementRun.usualBytes)
    var count = 0
    let cursor = try transaction.cursor(tree)
    var found = try (last ?? elementsPrefix).withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    if let last, found, cursor.key.elementsEqual(last) { found = try cursor.next() }
    while found, writer.count < ElementRun.usualBytes, cursor.key.starts(with: elementsPrefix) {
      let entry = try LargeEntry(key: cursor.key, value: cursor.value, type: type)
      if type.container == .map { writer.appendSized { $0.append(entry.name) } }
      let element = type.container == .map ? entry.element : entry.name
      CollectionPayload.append(element, type: type, to: &writer)
      count += 1
      if writer.count >= ElementRun.usualBytes { last = [UInt8](cursor.key) }
      found = try cursor.next()
    }
    // The following entries belong to other collections.
    if writer.count < ElementRun.usualBytes {
      last = elementsPrefix + [UInt8](repeating: 0xFF, count: 511 - elementsPrefix.count)
    }
    return count == 0 ? nil : ElementRun(writer.bytes, count: count)
  }

  /// Returns the keys of a map.
  func keys() throws -> [String] {
    var keys: [String] = []
    try forEachRun { run in
      try run.forEach(type: type) { key, _ in if let key { keys.append(String(decoding: key, as: UTF8.self)) }
      }
      return true
    }
    return keys
  }

  // MARK: Lookups

  /// Returns the key of the entry for an element of a set or a key of a map.
  func entryKey(of name: UnsafeRawBufferPointer) -> [UInt8] {
    prefix.withUnsafeBytes { LargeEntry.key(of: name, in: $0, tokens) }
  }

  /// Calls `body` with the entry of a key, or with `nil` if the entry does not exist.
  private func withEntry<Result>(
    _ key: [UInt8],
    of name: UnsafeRawBufferPointer,
    _ body: (LargeEntry?) throws -> Result
  ) throws -> Result {
    guard let value = try get(key) else { return try body(nil) }
    return try key.withUnsafeBytes { key in
      let entry = try LargeEntry(key: key, value: value, type: type)
      guard LargeEntry.hasName(key) || entry.name.hasSameBytes(as: name) else {
        // Two names never have the same token.
        throw tokens == nil ? Self.alike : Self.damaged
      }
      return try body(entry)
    }
  }

  /// Calls `body` with the element for a key of a map, or with `nil` if the map does not contain the key.
  package func withElement<Result>(
    of name: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    try withEntry(entryKey(of: name), of: name) { try body($0?.element) }
  }

  /// Whether a set contains an element.
  func contains(_ element: UnsafeRawBufferPointer) throws -> Bool {
    try withEntry(entryKey(of: element), of: element) { $0 != nil }
  }

  private static var alike: FiefError {
    FiefError(.invalidValue, "Two long elements of a collection have the same hash.")
  }

  // MARK: Writing

  func setCount(_ count: Int) throws {
    var writer = ValueWriter()
    writer.appendCount(count)
    try put(nodeKey(0), writer.bytes)
  }

  /// Inserts an element into a set, and returns whether it is new. The caller updates the count.
  func insert(_ element: UnsafeRawBufferPointer) throws -> Bool {
    let key = entryKey(of: element)
    if try withEntry(key, of: element, { $0 != nil }) { return false }
    try put(key, LargeEntry(name: element).value(ofKey: key, type: type))
    return true
  }

  /// Removes an element from a set or a key from a map, and returns whether it existed. The caller updates
  /// the count.
  func remove(_ name: UnsafeRawBufferPointer) throws -> Bool {
    let key = entryKey(of: name)
    guard try withEntry(key, of: name, { $0 != nil }) else { return false }
    return try delete(key)
  }

  /// Sets the element for a key of a map, and returns the previous element. The caller updates the count.
  func set(_ element: UnsafeRawBufferPointer, of name: UnsafeRawBufferPointer) throws -> [UInt8]? {
    let key = entryKey(of: name)
    let old = try withEntry(key, of: name) { $0.map { [UInt8]($0.element) } }
    try put(key, LargeEntry(name: name, element: element).value(ofKey: key, type: type))
    return old
  }
}
