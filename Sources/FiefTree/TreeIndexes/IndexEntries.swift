import Fief
import LMDB

/// Walks through the positions of a parent's children in an index, in their order or backward.
struct IndexEntries {
  private let nodes: TreeNodes
  private let table: TreeTable
  private let range: TreeRange
  private let isBackward: Bool
  private let prefix: [UInt8]
  private let cursor: Cursor
  private var isFound: Bool
  /// The positions of a run of cut keys that were read, the next one last.
  private var run: [TreeSortKey] = []

  /// - Parameter number: the number of the parent.
  init(_ nodes: TreeNodes, _ table: TreeTable, of number: Int, _ range: TreeRange, isBackward: Bool) throws {
    self.nodes = nodes
    self.table = table
    self.range = range
    self.isBackward = isBackward
    prefix = NodeKey.prefix(number, [])
    cursor = try nodes.transaction.cursor(table.records)
    let start =
      isBackward
      ? range.end.map { IndexEntryKey.upperBound(number, $0.bytes) } ?? IndexEntryKey.end(of: prefix)
      : range.start.map { IndexEntryKey.lowerBound(number, $0.bytes) } ?? prefix
    let cursor = cursor
    isFound = try start.withUnsafeBytes {
      isBackward ? try cursor.seek(before: $0) : try cursor.seek(atOrAfter: $0)
    }
  }

  /// Returns the next position within the range; `nil` after the last one.
  ///
  /// - Throws: `FiefError` of code `damagedRecord` for an impossible entry.
  mutating func next() throws -> TreeSortKey? {
    while let position = try nextStored() {
      if isBackward ? range.isBefore(position) : range.isAfter(position) {
        (isFound, run) = (false, [])
        return nil
      }
      if range.contains(position) { return position }
    }
    return nil
  }

  private mutating func nextStored() throws -> TreeSortKey? {
    if let position = run.popLast() { return position }
    guard isFound, cursor.key.hasPrefix(prefix) else { return nil }
    let position = try position()
    guard IndexEntryKey.isCut(position) else {
      try move()
      return TreeSortKey(bytes: position)
    }
    let beginning = IndexEntryKey.beginning(of: position)
    let start = prefix + beginning
    run = [TreeSortKey(bytes: position)]
    try move()
    while isFound, cursor.key.hasPrefix(start) {
      run.append(TreeSortKey(bytes: try self.position()))
      try move()
    }
    run.sort { isBackward ? $0 < $1 : $1 < $0 }
    return run.popLast()
  }

  private mutating func move() throws { isFound = isBackward ? try cursor.previous() : try cursor.next() }

  /// Returns the position of the present entry.
  private func position() throws -> [UInt8] { try nodes.position(of: cursor.key, cursor.value, table) }
}

/// The object keys of indexed parents: the id of the index, the parent's segment, and its place.
enum IndexPlaceKey {
  static func prefix(_ index: Int) -> [UInt8] {
    var encoder = KeyEncoder()
    encoder.append(index)
    return encoder.bytes
  }

  static func key(_ index: Int, _ segment: Int, _ place: [UInt8]) -> [UInt8] {
    prefix(index) + NodeKey.key(segment, place)
  }
}
