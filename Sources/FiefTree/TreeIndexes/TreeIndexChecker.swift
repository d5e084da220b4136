import Fief
import LMDB

/// Checks that the indexes of a tree have an entry for each child that they order, and no others.
///
/// An index that is not complete may lack entries, but must have no wrong ones.
struct TreeIndexChecker {
  /// The maximum number of problems.
  private static let mostProblems = 100

  private let nodes: TreeNodes
  private let tables: TreeIndexTables
  private var problems: [String] = []
  /// The parents that have numbers.
  private var parents: [Int: (index: StoredIndex, path: TreePath)] = [:]

  /// - Returns: `nil` if the store cannot have indexes.
  init?(_ nodes: TreeNodes) {
    guard let tables = nodes.indexTables else { return nil }
    self.nodes = nodes
    self.tables = tables
  }

  /// Returns a line for each problem. The entries of the tree itself were checked before.
  mutating func run() throws -> [String] {
    do {
      let indexes = try StoredIndex.all(nodes)
      for index in indexes {
        if indexes.contains(where: { $0.id < index.id && $0.definition == index.definition }) {
          report("an index is defined twice", index)
        }
        try checkChildren(of: index)
      }
      try checkPlaces(indexes)
      try checkEntries()
    } catch let error as FiefError {
      guard error.code == .damagedRecord else { throw error }
      problems.append(error.message)
    }
    return problems
  }

  private var isFull: Bool { problems.count >= Self.mostProblems }

  private mutating func report(_ problem: String, _ index: StoredIndex) {
    if !isFull { problems.append("\(problem): index \(index.id) on \(index.definition.order.text ?? "")") }
  }

  /// Checks that every child has an entry.
  private mutating func checkChildren(of index: StoredIndex) throws {
    var positions = IndexPositions(nodes, index)
    _ = try IndexedChildren(nodes, index.definition.scope).run { visit in
      guard let position = try positions.position(of: visit) else { return true }
      if let number = try positions.number(for: visit, tables) {
        let parent = positions.parent(of: visit)
        if let known = parents[number], known.index.id != index.id || known.path != parent {
          report("two places have one number", index)
        }
        parents[number] = (index, parent)
        if try index.isComplete && !nodes.hasEntry(number, position, tables.entries) {
          report("a child has no entry with its value", index)
        }
      } else if index.isComplete {
        report("a place with children has no number", index)
      }
      return !isFull
    }
  }

  /// Checks that every number belongs to a parent with children.
  private mutating func checkPlaces(_ indexes: [StoredIndex]) throws {
    let cursor = try nodes.transaction.cursor(tables.places.records)
    var isFound = try cursor.first()
    while isFound, !isFull {
      let number = try tables.places.integer("number", of: cursor.key, cursor.value)
      if number.flatMap({ parents[$0] }) == nil {
        problems.append("an index has a number for a place without children: \(number ?? 0)")
      }
      isFound = try cursor.next()
    }
  }

  /// Checks that every entry belongs to a child with its value.
  private mutating func checkEntries() throws {
    let cursor = try nodes.transaction.cursor(tables.entries.records)
    var isFound = try cursor.first()
    // The cut positions of the present run, which need not be sorted.
    var run: (prefix: [UInt8], positions: Set<[UInt8]>) = ([], [])
    while isFound, !isFull {
      guard let (number, _) = IndexEntryKey.read(cursor.key) else {
        throw nodes.damaged("A key of an index of a tree is damaged.")
      }
      let position = try nodes.position(of: cursor.key, cursor.value, tables.entries)
      if let (index, parent) = parents[number] {
        if IndexEntryKey.isCut(position) {
          if !cursor.key.hasPrefix(run.prefix) || run.prefix.isEmpty {
            run = (NodeKey.prefix(number, IndexEntryKey.beginning(of: position)), [])
          }
          if !run.positions.insert(position).inserted { report("a child has two entries", index) }
        }
        if try !isRight(position, index, parent) { report("an entry has no child with its value", index) }
      } else {
        problems.append("an entry of an index belongs to no place: \(number)")
      }
      isFound = try cursor.next()
    }
  }

  private func isRight(_ position: [UInt8], _ index: StoredIndex, _ parent: TreePath) throws -> Bool {
    guard let names = TreeSortKey(bytes: position).path else { return false }
    let path: TreePath
    switch index.definition.scope {
    case .pattern:
      guard names.names.count == 1 else { return false }
      path = parent.appending(names.names[0])
    case .group(let name):
      guard let last = names.names.dropLast().last, last.hasSameBytes(as: name) else { return false }
      path = names
    }
    let visit = IndexedChildren.Visit(path: path, place: TreePlace(path), isIndexed: true, exists: false)
    return try IndexPositions(nodes, index).position(of: visit) == position
  }
}

extension TreeNodes {
  /// Returns whether an index has the entry of a child.
  fileprivate func hasEntry(_ number: Int, _ position: [UInt8], _ table: TreeTable) throws -> Bool {
    let range = TreeRange(start: TreeSortKey(bytes: position), end: TreeSortKey(bytes: position + [0]))
    var walk = try IndexEntries(self, table, of: number, range, isBackward: false)
    return try walk.next() != nil
  }
}
