import LMDB

/// The access to the rows of a query: the access path that the planner chose, with the part of the condition
/// that remains to be checked on each row.
///
/// It holds no transaction: it can be used for several, one after another, as long as the schema is the same.
package class QueryAccess {
  let table: Table
  /// Whether the rows come in the order of the description.
  final var isOrdered = false
  /// Whether they come in the opposite of it, as is asked for by a limit to the last ones.
  final var isReversed = false
  /// Whether rows outside of the description's bounds are left out already.
  final var appliesBounds = false

  /// Whether the read is never continued, so that the position at its end may be a mere mark.
  final var isReadOnce = false

  init(table: Table) { self.table = table }

  /// The collection that the rows are of; nil where they are those of a type.
  var members: MemberSource? { nil }

  /// Calls `body` with each row that the condition holds for, until that returns false.
  ///
  /// `body` must not change the store: a caller that has to stops, and continues from the position.
  ///
  /// - Parameter position: the position to resume from: the result of an earlier call, in this or in an
  ///   earlier transaction. Rows that were handed out before are not handed out again, though they may have
  ///   been changed or deleted meanwhile.
  /// - Returns: the position to resume from, nil at the end.
  func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition? = nil,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? { nil }

  /// Calls `body` with the rows that the condition holds for, page by page, until it returns false.
  ///
  /// - Returns: false, without a call, where rows do not come in pages.
  func forEachBlock(
    in environment: QueryEnvironment,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws -> Bool { false }

  /// Calls `body` with the key of each row, without looking at records where that is possible.
  func forEachKey(
    in environment: QueryEnvironment,
    after position: QueryPosition? = nil,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> QueryPosition? {
    try forEachRow(in: environment, after: position) { try body($0.key) }
  }

  /// The number of rows, without looking at records where that is possible.
  package func count(in environment: QueryEnvironment) throws -> Int {
    var count = 0
    _ = try forEachRow(in: environment) { _ in
      count += 1
      return true
    }
    return count
  }
}
