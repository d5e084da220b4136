import Fief

/// Keeps the entries of all indexes up to date with the changes of one write.
///
/// Before the first change of an operation, it collects the entries of all children that the operation may
/// affect. After the last change, it compares them with the children that are there, and writes only entries
/// that differ.
final class IndexUpdates {
  /// The entry of a child.
  private struct Entry: Hashable {
    let number: Int
    let position: [UInt8]
  }

  /// The number of entries that are kept for the comparison. If more children are affected, the entries of
  /// the others are removed and added again, so that memory does not grow with the size of a replaced value.
  private static let mostEntries = 16_384
  /// The size of the positions of these entries in bytes. A position may have a whole text.
  private static let mostBytes = 8 << 20
  /// The number of visited children or parents after which changed pages are written, if memory is bounded.
  private static let visitsAtOnce = 4096

  private let nodes: TreeNodes
  private let tables: TreeIndexTables
  private let writer: IndexEntryWriter
  private let indexes: [StoredIndex]
  /// Whether the operation is so large that changed pages are written early.
  var isBounded = false
  private var visits = 0
  private var isChanging = false
  private var old: Set<Entry> = []
  private var oldBytes = 0
  /// The keys of the parents of old entries, by their numbers.
  private var parents: [Int: [UInt8]] = [:]
  /// Whether there are more parents than are kept.
  private var hasMoreParents = false

  /// - Returns: `nil` if the store has no index.
  init?(_ nodes: TreeNodes, _ writer: EntryWriter) throws {
    let indexes = try StoredIndex.all(nodes)
    guard let tables = nodes.indexTables, !indexes.isEmpty else { return nil }
    self.nodes = nodes
    self.tables = tables
    self.writer = try IndexEntryWriter(nodes, tables, writer)
    self.indexes = indexes
  }

  /// Called before each change of an operation.
  ///
  /// - Parameter path: the place of the operation. Its changes are at the place, below it and above it.
  func willChange(at path: TreePath) throws {
    if isChanging { return }
    isChanging = true
    for index in indexes {
      var positions = IndexPositions(nodes, index)
      try IndexedChildren(nodes, index.definition.scope).run(changing: path) { visit in
        guard let position = try positions.position(of: visit),
          let number = try positions.number(for: visit, tables)
        else { return }
        writer.keep(number)
        if parents[number] == nil {
          if parents.count < Self.mostEntries {
            parents[number] = try positions.parentKey(for: visit)
          } else {
            hasMoreParents = true
          }
        }
        if old.count < Self.mostEntries, oldBytes < Self.mostBytes {
          old.insert(Entry(number: number, position: position))
          oldBytes += position.count
        } else {
          try writer.remove(number, position)
        }
        try didVisit()
      }
    }
  }

  /// Called after the last change of an operation.
  func didChange(at path: TreePath) throws {
    if !isChanging { return }
    isChanging = false
    for index in indexes {
      var positions = IndexPositions(nodes, index)
      try IndexedChildren(nodes, index.definition.scope).run(changing: path) { visit in
        guard let position = try positions.position(of: visit) else { return }
        let number = try positions.makeNumber(for: visit, writer)
        if old.remove(Entry(number: number, position: position)) == nil {
          try writer.insert(number, position)
        }
        try didVisit()
      }
    }
    // In the order of their keys, so that equal writes give equal files.
    let removed = old.sorted {
      $0.number == $1.number ? $0.position.lexicographicallyPrecedes($1.position) : $0.number < $1.number
    }
    for entry in removed { try writer.remove(entry.number, entry.position) }
    for (number, key) in parents.sorted(by: { $0.key < $1.key }) {
      try writer.removeNumberIfUnused(number, key: key)
    }
    if hasMoreParents {
      for index in indexes { try writer.removeUnusedNumbers(of: index) { try didVisit() } }
    }
    (old, oldBytes, parents, hasMoreParents) = ([], 0, [:], false)
  }

  private func didVisit() throws {
    visits += 1
    if isBounded, visits % Self.visitsAtOnce == 0 { try writer.writePages(beyond: SubtreeWriter.mostPages) }
  }
}
