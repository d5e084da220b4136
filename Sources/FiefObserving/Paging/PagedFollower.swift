import FiefCore
import LMDB

/// Follows the requested pages of a list: all rows from a fixed bound in the order to its end.
///
/// Invariant: the rows contain every row behind the bound, whenever it was inserted. Therefore no row is
/// missed between reading a page and observing it.
final class PagedFollower: CollectionFollower {
  private let description: QueryDescription
  private let typeName: String
  private let names: QueryNames
  private let watched: [QueryPath]?
  private let size: Int
  private let isFromEnd: Bool
  private let requests: PageRequests
  private var rowsFollower: RowsFollower
  /// The row at which the pages begin, or `nil` if the pages cover the whole list.
  private var bound: QueryBound?
  private var hasMore = true
  private var pages = 0

  /// - Parameters:
  ///   - description: the list. Its limit and offset are ignored.
  ///   - typeName: the type of the objects.
  ///   - names: maps the names in the description to columns.
  ///   - watched: the paths whose values count as modifications.
  ///   - size: the number of rows on a page.
  ///   - isFromEnd: whether the first page is at the end of the order.
  ///   - requests: the number of requested pages.
  init(
    _ description: QueryDescription,
    of typeName: String,
    names: QueryNames,
    watched: [QueryPath]?,
    size: Int,
    isFromEnd: Bool,
    requests: PageRequests
  ) {
    var description = description
    description.limit = nil
    description.offset = 0
    self.description = description
    self.typeName = typeName
    self.names = names
    self.watched = watched
    self.size = size
    self.isFromEnd = isFromEnd
    self.requests = requests
    rowsFollower = RowsFollower(description, of: typeName, names: names, watched: watched)
  }

  deinit { note(hasMore: nil) }

  var interest: ObservationInterest { rowsFollower.interest }
  var rows: ObservedRows { rowsFollower.rows }

  func cost(of changes: CollectionChanges?) -> (typeName: String, reads: Int) {
    rowsFollower.cost(of: changes)
  }

  func start(at state: ObservedState) throws {
    bound = nil
    hasMore = true
    pages = 0
    try extend(at: state)
    try rowsFollower.start(at: state)
  }

  func advance(_ pending: PendingChanges, to state: ObservedState) throws -> Bool {
    let hasReport = try follow(pending, to: state)
    // A requested page may be empty, which causes no report.
    if !hasReport { note(hasMore: hasMore) }
    return hasReport
  }

  private func follow(_ pending: PendingChanges, to state: ObservedState) throws -> Bool {
    let former = rowsFollower
    if try extend(at: state) {
      // Brings the former follower to this state first, because the changes are computed against its last
      // report.
      _ = try former.advance(pending, to: state)
      try rowsFollower.start(at: state)
      return rowsFollower.takeOver(from: former)
    }
    return try rowsFollower.advance(pending, to: state)
  }

  func advanceSilently(_ changes: PendingChanges, to state: ObservedState) throws -> Bool {
    try rowsFollower.advanceSilently(changes, to: state)
  }

  func undoSilentEvaluation() { rowsFollower.undoSilentEvaluation() }

  func takeChanges() -> CollectionChanges? {
    note(hasMore: hasMore)
    return rowsFollower.takeChanges()
  }

  private func note(hasMore: Bool?) { requests.note(hasMore: hasMore, of: ObjectIdentifier(self)) }

  /// Moves the bound to the beginning of the requested pages. Returns `false` if it stays.
  @discardableResult
  private func extend(at state: ObservedState) throws -> Bool {
    var isMoved = false
    while hasMore, pages < requests.pages {
      bound = try nextBound(in: state)
      hasMore = bound != nil
      pages += 1
      isMoved = true
    }
    guard isMoved else { return false }
    var window = description
    if let bound {
      if isFromEnd { window.start = bound } else { window.end = bound }
    }
    rowsFollower = RowsFollower(window, of: typeName, names: names, watched: watched)
    return true
  }

  /// Returns the row at which the next page begins, or `nil` if the page contains all remaining rows.
  private func nextBound(in state: ObservedState) throws -> QueryBound? {
    guard let table = state.tables[typeName] else { return nil }
    var page = description
    let before = bound.map { QueryBound(values: $0.values, key: $0.key, isInclusive: false) }
    let (most, isOverflow) = size.addingReportingOverflow(1)
    if isFromEnd {
      page.end = before ?? description.end
      page.limit = .last(isOverflow ? size : most)
    } else {
      page.start = before ?? description.start
      page.limit = .first(isOverflow ? size : most)
    }
    let binder = QueryBinder(tables: state.tables, table: table, names: names)
    let start = state.timer?.now
    let query = try PreparedQuery(
      page,
      binder: binder,
      transaction: state.transaction,
      memory: state.memory
    )
    let environment = QueryEnvironment(tables: state.tables, transaction: state.transaction)
    var found: [QueryBound] = []
    try RowStream(query).read(in: environment) { row in
      found.append(
        QueryBound(
          values: try query.order.values(of: row, in: environment),
          key: query.identity(of: row, in: environment),
          isInclusive: true
        )
      )
      return true
    }
    if let start, let timer = state.timer { timer.note(timer.now &- start, page, binder, state.transaction) }
    guard found.count > size else { return nil }
    return isFromEnd ? found[found.count - size] : found[size - 1]
  }
}
