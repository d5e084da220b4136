import Fief
import LMDB

/// Adds indexes to a store and builds them, one step in each commit.
struct TreeIndexBuild {
  /// The number of places that a step visits.
  static let placesAtOnce = 10_000

  private let core: StoreCore
  /// The indexes that the next step adds if the store does not have them.
  private var declared: [TreeIndexDefinition]

  init(_ core: StoreCore, _ declared: [TreeIndexDefinition]) {
    self.core = core
    self.declared = declared
  }

  /// Runs until every index is complete.
  ///
  /// Every process that opens the tree does this. Each step begins at the place at which the last step of any
  /// process has ended.
  nonisolated(nonsending) func run() async throws {
    var build = self
    while try await build.next() {}
  }

  /// Runs the next step.
  ///
  /// - Returns: `false` if no step was left.
  nonisolated(nonsending) mutating func next() async throws -> Bool {
    guard try !core.isReadOnly && hasWork() else { return false }
    _ = try await core.submit(.body { [declared] in try Self.step(in: $0, declared) })
    // An index that is removed from now on stays removed.
    declared = []
    return true
  }

  private func hasWork() throws -> Bool {
    if TreeIndexTables(core.tables) == nil { return false }
    return try core.read { transaction in
      let indexes = try StoredIndex.all(TreeNodes(core.tables, transaction))
      return !indexes.allSatisfy(\.isComplete) || !Self.missing(declared, indexes).isEmpty
    }
  }

  private static func missing(_ declared: [TreeIndexDefinition], _ indexes: [StoredIndex])
    -> [TreeIndexDefinition]
  { declared.filter { definition in !indexes.contains { $0.definition == definition } } }

  /// Adds the missing indexes, or builds a part of the first incomplete one.
  static func step(in scope: WriteTransaction, _ declared: [TreeIndexDefinition]) throws {
    let nodes = try TreeNodes(in: scope)
    guard let tables = nodes.indexTables else { return }
    try scope.changing {
      let writer = try IndexEntryWriter(nodes, tables, EntryWriter(writer: scope.writer, scope: scope))
      let indexes = try StoredIndex.all(nodes)
      let missing = missing(declared, indexes)
      if !missing.isEmpty {
        try add(missing, to: indexes, nodes, writer)
      } else if let index = indexes.first(where: { !$0.isComplete }) {
        try build(index, nodes, writer)
      }
    }
  }

  private static func add(
    _ missing: [TreeIndexDefinition],
    to indexes: [StoredIndex],
    _ nodes: TreeNodes,
    _ writer: IndexEntryWriter
  ) throws {
    guard indexes.count + missing.count <= TreeIndexDefinition.most else {
      throw FiefError(
        .invalidQuery,
        "The tree of a store would have more than \(TreeIndexDefinition.most) indexes: remove some.",
        store: nodes.storeName
      )
    }
    // An empty tree needs no build.
    let isEmpty = try nodes.transaction.count(nodes.records) == 0
    var id = indexes.last?.id ?? 0
    for definition in missing {
      id += 1
      guard StoredIndex.numbers.contains(id) else {
        throw nodes.damaged("The definition of an index of a tree is damaged.")
      }
      try writer.put(StoredIndex(id: id, definition, isComplete: isEmpty))
    }
  }

  private static func build(_ index: StoredIndex, _ nodes: TreeNodes, _ writer: IndexEntryWriter) throws {
    var positions = IndexPositions(nodes, index)
    var count = 0
    var last = index.position
    let isComplete = try IndexedChildren(nodes, index.definition.scope).run(after: index.position) { visit in
      if let position = try positions.position(of: visit) {
        try writer.insert(try positions.makeNumber(for: visit, writer), position)
      }
      last = visit.path
      count += 1
      return count < placesAtOnce
    }
    try writer.put(
      StoredIndex(id: index.id, index.definition, isComplete: isComplete, position: isComplete ? nil : last)
    )
  }
}
