import LMDB

/// How the rows of a query are reached: the access path that the planner chose, with the condition that is left
/// to be checked on each row.
class QueryAccess {
  /// Whether the rows come in the order of the description.
  var isOrdered: Bool { false }
  /// Whether they come in the opposite of it, as is asked for by a limit to the last ones.
  var isReversed: Bool { false }
  /// Whether rows outside of the description's bounds are left out already.
  var appliesBounds: Bool { false }

  /// Calls `body` with each row that the condition holds for, until that returns false.
  ///
  /// - Parameter position: where to go on: what an earlier call returned.
  /// - Returns: where to go on, nil at the end.
  func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition? = nil,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? { nil }

  /// The number of rows, without looking at records where that is possible.
  func count(in environment: QueryEnvironment) throws -> Int { 0 }
}

/// Where an access path stopped: the key of the last entry that was handed out, in the tree that it goes along.
struct QueryPosition: Sendable, Hashable {
  var bytes: [UInt8]
}
