import Fief
import LMDB

/// Adds and removes the entries of indexes in a write.
struct IndexEntryWriter {
  private let nodes: TreeNodes
  private let tables: TreeIndexTables
  private let writer: EntryWriter
  /// The record of an entry whose key has the whole position.
  private let plainRecord: [UInt8]
  private let numbers = Numbers()

  /// The numbers of parents that a write has found or made.
  private final class Numbers {
    /// The least number that is greater than all of them.
    var next = 1
  }

  init(_ nodes: TreeNodes, _ tables: TreeIndexTables, _ writer: EntryWriter) throws {
    self.nodes = nodes
    self.tables = tables
    self.writer = writer
    plainRecord = try tables.entries.record { _ in nil }
  }

  private var transaction: LMDB.Transaction { nodes.transaction }

  /// Adds the entry of a child, unless it is there.
  func insert(_ number: Int, _ position: [UInt8]) throws {
    let beginning = IndexEntryKey.beginning(of: position)
    guard IndexEntryKey.isCut(position) else {
      let key = IndexEntryKey.key(number, position)
      let isStored = try key.withUnsafeBytes { try transaction.get(tables.entries.records, $0) != nil }
      if !isStored { try writer.put(key, plainRecord, into: tables.entries.table) }
      return
    }
    if try key(ofCut: position, number) != nil { return }
    let key = IndexEntryKey.key(number, beginning, counter: try nextCounter(number, beginning))
    let record = try tables.entries.record { $0 == "whole" ? position : nil }
    try writer.put(key, record, into: tables.entries.table)
  }

  /// Removes the entry of a child, if it is there.
  func remove(_ number: Int, _ position: [UInt8]) throws {
    let key =
      IndexEntryKey.isCut(position)
      ? try key(ofCut: position, number) : IndexEntryKey.key(number, position)
    if let key { try writer.delete([key], from: tables.entries.table) }
  }

  /// Returns the key of a cut position; `nil` if it has no entry.
  private func key(ofCut position: [UInt8], _ number: Int) throws -> [UInt8]? {
    let prefix = NodeKey.prefix(number, IndexEntryKey.beginning(of: position))
    let cursor = try transaction.cursor(tables.entries.records)
    var isFound = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while isFound, cursor.key.hasPrefix(prefix) {
      if try nodes.position(of: cursor.key, cursor.value, tables.entries) == position {
        return [UInt8](cursor.key)
      }
      isFound = try cursor.next()
    }
    return nil
  }

  /// Returns the counter after the last one of a run.
  private func nextCounter(_ number: Int, _ beginning: [UInt8]) throws -> Int {
    let prefix = NodeKey.prefix(number, beginning)
    let cursor = try transaction.cursor(tables.entries.records)
    let isFound = try IndexEntryKey.end(of: prefix).withUnsafeBytes { try cursor.seek(before: $0) }
    guard isFound, cursor.key.hasPrefix(prefix) else { return 0 }
    guard let (_, text) = IndexEntryKey.read(cursor.key), let counter = IndexEntryKey.counter(of: text),
      counter < IndexEntryKey.greatestCounter
    else {
      throw nodes.damaged("A key of an index of a tree is damaged.")
    }
    return counter + 1
  }

  // MARK: Parents

  /// Returns the number of a parent, which it gets if it has none.
  ///
  /// - Parameter place: the parent's place; the root for a group.
  func makeNumber(of index: StoredIndex, _ place: TreePlace) throws -> Int {
    if let number = try nodes.number(of: index, place, tables) { return number }
    guard let segment = try nodes.segment(of: place) else {
      throw nodes.damaged("An index of a tree has a place that the tree does not have.")
    }
    var number = numbers.next
    let cursor = try transaction.cursor(tables.entries.records)
    if try cursor.last() {
      guard let (last, _) = IndexEntryKey.read(cursor.key), last < StoredIndex.numbers.upperBound else {
        throw nodes.damaged("A key of an index of a tree is damaged.")
      }
      number = max(number, last + 1)
    }
    guard StoredIndex.numbers.contains(number) else {
      throw nodes.damaged("A number of an index of a tree is damaged.")
    }
    keep(number)
    let key = IndexPlaceKey.key(index.id, segment, place.last)
    let record = try tables.places.record { $0 == "number" ? TreeTable.payload(number) : nil }
    try writer.put(key, record, into: tables.places.table)
    return number
  }

  /// Keeps a number from being given to another parent in this write, although its entries may be removed.
  func keep(_ number: Int) {
    numbers.next = max(numbers.next, number + 1)
  }

  /// Removes the numbers of all parents of which an index has no children.
  ///
  /// - Parameter didVisit: called after each parent.
  func removeUnusedNumbers(of index: StoredIndex, _ didVisit: () throws -> Void) throws {
    let prefix = IndexPlaceKey.prefix(index.id)
    var start = prefix
    while true {
      let places = try transaction.cursor(tables.places.records)
      guard try start.withUnsafeBytes({ try places.seek(atOrAfter: $0) }), places.key.hasPrefix(prefix) else {
        return
      }
      let key = [UInt8](places.key)
      let number = try nodes.number(places.key, places.value, tables)
      try removeNumberIfUnused(number, key: key)
      try didVisit()
      // The key after this one.
      start = key + [0]
    }
  }

  /// Writes changed pages early if there are more than `limit`.
  func writePages(beyond limit: Int) throws { try writer.writer.transaction.writePages(beyond: limit) }

  /// Removes the number of a parent if the index has no children of it.
  ///
  /// - Parameter key: the key of the parent.
  func removeNumberIfUnused(_ number: Int, key: [UInt8]) throws {
    let prefix = NodeKey.prefix(number, [])
    let cursor = try transaction.cursor(tables.entries.records)
    if try prefix.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }), cursor.key.hasPrefix(prefix) { return }
    try writer.delete([key], from: tables.places.table)
  }

  // MARK: Indexes

  func put(_ index: StoredIndex) throws {
    try writer.put(index.key, try index.record(of: tables.definitions), into: tables.definitions.table)
  }

  /// Removes an index with its entries.
  func remove(_ index: StoredIndex) throws {
    let prefix = IndexPlaceKey.prefix(index.id)
    let places = try transaction.cursor(tables.places.records)
    while try prefix.withUnsafeBytes({ try places.seek(atOrAfter: $0) }), places.key.hasPrefix(prefix) {
      let key = [UInt8](places.key)
      let number = try nodes.number(places.key, places.value, tables)
      try removeEntries(of: number)
      try writer.delete([key], from: tables.places.table)
    }
    try writer.delete([index.key], from: tables.definitions.table)
  }

  private func removeEntries(of number: Int) throws {
    let prefix = NodeKey.prefix(number, [])
    while true {
      var keys: [[UInt8]] = []
      let cursor = try transaction.cursor(tables.entries.records)
      var isFound = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
      while isFound, cursor.key.hasPrefix(prefix), keys.count < 4096 {
        keys.append([UInt8](cursor.key))
        isFound = try cursor.next()
      }
      if keys.isEmpty { return }
      try writer.delete(keys, from: tables.entries.table)
    }
  }
}
