import FiefCore
import LMDB

/// The values at the ends of watched paths, combined into one stamp per row.
package struct WatchedValues {
  private let paths: [WatchedPath]
  /// The columns that the paths read, by type.
  private(set) var columns: [String: ColumnSet] = [:]
  /// The types of the objects reached through links.
  private(set) var linkedTypes: Set<String> = []

  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery` for a path that cannot be watched.
  package init(_ paths: [QueryPath], _ binder: QueryBinder) throws {
    self.paths = try paths.map { try WatchedPath($0, binder) }
    columns[binder.table.name] = ColumnSet()
    for path in self.paths {
      for level in path.levels { columns[level.table.name, default: ColumnSet()].formUnion(level.columns) }
      linkedTypes.formUnion(path.levels.dropFirst().map(\.table.name))
    }
  }

  func stamp(
    of key: UnsafeRawBufferPointer,
    _ view: RecordView,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> UInt64 {
    var hash = KeyedHash()
    for path in paths {
      hash = try WatchedValue(path, of: key, view, tables, in: transaction, after: hash, notesVisited: false)
        .hash
    }
    return hash.value
  }
}
