import LMDB

/// An access path to the rows of a query, chosen by the planner, with the part of the condition that must
/// still be checked on each row.
///
/// It keeps no transaction open. Several transactions can use it one after another, while the schema stays
/// the same.
package class QueryAccess {
  let table: Table
  /// Whether the rows come in the order of the description.
  final var isOrdered = false
  /// Whether the rows come in reverse order, for a limit to the last rows.
  final var isReversed = false
  /// Whether the access path itself excludes rows outside the description's bounds.
  final var appliesBounds = false

  /// Whether the read is never resumed. The position at its end then only indicates that the read stopped
  /// early.
  final var isReadOnce = false

  init(table: Table) { self.table = table }

  /// The collection to which the rows belong, or `nil` if the query selects from the whole type.
  var members: MemberSource? { nil }

  /// Calls `body` with each row that meets the condition, until `body` returns false.
  ///
  /// `body` must not change the store. To change the store, a caller stops the walk and resumes it from the
  /// position.
  ///
  /// - Parameter position: the position to resume from, returned by an earlier call in this or an earlier
  ///   transaction. Rows that were already delivered are not delivered again, even if they were changed or
  ///   deleted in the meantime.
  /// - Returns: the position to resume from, or `nil` at the end.
  func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition? = nil,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? { nil }

  /// Calls `body` with the rows that meet the condition, page by page, until `body` returns false.
  ///
  /// - Returns: false, without calling `body`, if rows cannot be delivered by pages.
  func forEachBlock(
    in environment: QueryEnvironment,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws -> Bool { false }

  /// Calls `body` with the key of each row, if possible without reading records.
  func forEachKey(
    in environment: QueryEnvironment,
    after position: QueryPosition? = nil,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> QueryPosition? {
    try forEachRow(in: environment, after: position) { try body($0.key) }
  }

  /// Returns the number of rows, if possible without reading records.
  package func count(in environment: QueryEnvironment) throws -> Int {
    var count = 0
    _ = try forEachRow(in: environment) { _ in
      count += 1
      return true
    }
    return count
  }
}
