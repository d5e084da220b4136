import FiefCore
import LMDB

/// Follows the pages of a list that were asked for: from a place in the order, which stays, to the end.
///
/// Invariant: each row behind the place is in the rows, whenever it came, so that none is missed between the reading of a
/// page and the listening.
final class PagedFollower: CollectionFollower {
  private let description: QueryDescription
  private let typeName: String
  private let names: QueryNames
  private let watched: [QueryPath]?
  private let size: Int
  private let isFromEnd: Bool
  private let requests: PageRequests
  private var rowsFollower: RowsFollower
  /// The row at which the pages begin; nil where they are all there is.
  private var bound: QueryBound?
  private var hasMore = true
  private var pages = 0

  /// - Parameters:
  ///   - description: the list; a limit and an offset of it do not count.
  ///   - typeName: the type of the objects.
  ///   - names: the columns for the names in the description.
  ///   - watched: the paths whose ends make a modification.
  ///   - size: the rows of a page.
  ///   - isFromEnd: whether the first page is the last one of the order.
  ///   - requests: the number of wanted pages.
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
    // A requested page may be empty, which is not reported.
    if !hasReport { note(hasMore: hasMore) }
    return hasReport
  }

  private func follow(_ pending: PendingChanges, to state: ObservedState) throws -> Bool {
    let former = rowsFollower
    if try extend(at: state) {
      // The former one is brought to this state first: changes are computed against the state that it has reported.
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

  /// Moves the place to where the pages that are wanted begin; false where it stays.
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

  /// The row at which the next page begins; nil where it has all that is left.
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
