import FiefCore
import LMDB

extension DynamicStore {
  /// Returns the sizes of the store and its trees.
  ///
  /// - Parameter measuringFill: whether to read every entry and measure how full the pages are.
  /// - Throws: ``FiefError``.
  public func statistics(measuringFill: Bool = false) throws -> DynamicStatistics {
    let whole: EnvironmentStatistics
    do { whole = try environment.statistics() } catch { throw FiefError.described(error, store: name) }
    // The readers are collected before this method itself becomes a reader.
    let readers: [StoreReader]
    do { readers = try environment.activeReaders().map { StoreReader($0) } } catch {
      throw FiefError.described(error, store: name)
    }
    let trees = try read { snapshot in
      var trees: [DynamicStatistics.Tree] = []
      func add(
        _ database: Database?,
        _ purpose: DynamicStatistics.Tree.Purpose,
        _ type: String?,
        _ property: String? = nil
      ) throws {
        guard let database else { return }
        let sizes = try snapshot.transaction.statistics(database)
        let fill = measuringFill ? try Self.fill(of: database, sizes, in: snapshot.transaction) : nil
        trees.append(DynamicStatistics.Tree(sizes, purpose, type, property, fill: fill))
      }
      for table in snapshot.tables.all.sorted(by: { $0.name < $1.name }) {
        try add(table.records, .records, table.name)
        for index in table.indexes {
          try add(index.database, .index, table.name, index.columns.map(\.name).joined(separator: ", "))
        }
        for link in table.links { try add(link.backlinks, .backlinks, table.name, link.column.name) }
      }
      try add(try snapshot.tables.collectionTree(in: snapshot.transaction), .collections, nil)
      try add(snapshot.tables.catalogueTree, .catalogue, nil)
      return trees
    }
    return DynamicStatistics(
      fileSize: whole.fileSize,
      mapSize: whole.mapSize,
      pageSize: whole.pageSize,
      pages: whole.lastPage + 1,
      freePages: whole.freePages,
      lastTransaction: whole.lastTransaction,
      readerSlots: environment.isReadWithoutLocks ? 0 : whole.maxReaders,
      usedReaderSlots: whole.usedReaders,
      oldestReaderLag: whole.oldestReaderLag,
      readers: readers,
      trees: trees
    )
  }

  /// Returns the used fraction of a tree's leaf pages. Each entry uses space for a header, a slot, its key,
  /// and its value unless the value is stored in separate pages.
  private static func fill(
    of database: Database,
    _ sizes: DatabaseStatistics,
    in transaction: LMDB.Transaction
  ) throws -> Double? {
    guard sizes.leafPages > 0 else { return nil }
    let pageHeader = 16
    let nodeHeader = 8
    let room = sizes.pageSize - pageHeader
    let largestNode = room / 2 / 2 * 2 - 2
    var used = 0
    let cursor = try transaction.cursor(database)
    while try cursor.next() {
      var node = nodeHeader + cursor.key.count + cursor.value.count
      if node > largestNode { node = nodeHeader + cursor.key.count + 8 }
      used += (node + 1) / 2 * 2 + 2
    }
    return min(Double(used) / Double(sizes.leafPages * room), 1)
  }
}

extension DynamicStatistics.Tree {
  fileprivate init(
    _ sizes: DatabaseStatistics,
    _ purpose: Purpose,
    _ typeName: String?,
    _ property: String?,
    fill: Double?
  ) {
    self.purpose = purpose
    self.typeName = typeName
    self.property = property
    entries = sizes.entries
    depth = sizes.depth
    branchPages = sizes.branchPages
    leafPages = sizes.leafPages
    overflowPages = sizes.overflowPages
    bytes = (sizes.branchPages + sizes.leafPages + sizes.overflowPages) * sizes.pageSize
    self.fill = fill
  }
}
