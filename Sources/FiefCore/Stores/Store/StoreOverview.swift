import LMDB

/// A summary of a store's contents, for display.
public struct StoreOverview: Sendable {
  /// A summary of one object type.
  public struct TypeOverview: Sendable {
    /// The name of the type.
    public let name: String
    /// The number of objects.
    public let count: Int
    /// The size of the pages of its records, indexes and backlinks, in bytes.
    public let bytes: Int
  }

  /// The name of the store.
  public let name: String
  /// The directory with the store's files.
  public let directory: String
  /// A Boolean value that indicates whether the store is in memory.
  public let isInMemory: Bool
  /// The version of the store's schema.
  public let schemaVersion: UInt64
  /// The size of the data file, in bytes.
  public let fileSize: Int
  /// The object types, sorted by name.
  public let types: [TypeOverview]
  /// The counts of reads and writes since the store was opened.
  public let metrics: StoreMetrics

  /// The number of objects of all types.
  public var count: Int { types.reduce(0) { $0 + $1.count } }
}

extension StoreCore {
  /// Returns an overview of the store.
  ///
  /// - Parameter visible: the types to include; `nil` for all types.
  package func overview(of visible: VisibleTypes?) throws -> StoreOverview {
    let fileSize: Int
    do { fileSize = try environment.statistics().fileSize } catch { throw described(error) }
    let types = try read { transaction in
      try tables.all.filter { $0.records != nil && visible?.contains($0.name) ?? true }.sorted {
        $0.name < $1.name
      }.map { table in
        var bytes = 0
        let trees =
          [table.records].compactMap { $0 } + table.indexes.map(\.database) + table.links.map(\.backlinks)
        for tree in trees {
          let statistics = try transaction.statistics(tree)
          bytes +=
            (statistics.branchPages + statistics.leafPages + statistics.overflowPages) * statistics.pageSize
        }
        return StoreOverview.TypeOverview(
          name: table.name,
          count: try count(table, in: transaction),
          bytes: bytes
        )
      }
    }
    return StoreOverview(
      name: name,
      directory: directory,
      isInMemory: isInMemory,
      schemaVersion: catalogue.schemaVersion,
      fileSize: fileSize,
      types: types,
      metrics: counters.current
    )
  }
}
