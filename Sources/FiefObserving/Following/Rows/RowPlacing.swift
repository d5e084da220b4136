import FiefCore
import LMDB

/// Finds the positions of changed objects among the unchanged rows.
///
/// Supports queries whose condition and order read only a row's own record, so that all unchanged objects
/// keep their rows.
final class RowPlacing {
  /// A changed object that matches the query.
  private struct Candidate {
    let key: ObjectKey
    let stamp: UInt64
    let sortKey: [UInt8]
  }

  private let table: Table
  private let records: Database
  private let condition: RowCondition?
  private let order: RowOrder
  private let bounds: RowBounds?
  private var scratch = ValueWriter()

  /// - Returns: `nil` if a row depends on more than its object's record.
  init?(_ bound: BoundRows) throws {
    let (description, dependencies) = (bound.description, bound.dependencies)
    guard let records = bound.table.records, !dependencies.readsOthers, !dependencies.isRanked,
      description.distinct.isEmpty, description.members == nil
    else { return nil }
    if case .last? = description.limit { return nil }
    table = bound.table
    self.records = records
    let binder = bound.binder
    condition = try description.condition.map(binder.condition)
    order = RowOrder(try description.order.map { try binder.part($0, isOrder: true) })
    bounds = try RowBounds(description.start, description.end, order, binder)
  }

  /// Returns the rows after objects have changed.
  ///
  /// - Parameters:
  ///   - rows: the rows before the change. The rows of unchanged objects stay, in this order.
  ///   - isComplete: whether `rows` are all rows of the query. Otherwise they are only the first ones.
  ///   - changed: the keys of the changed objects.
  /// - Returns: `nil` if the record of a row is missing.
  func rows(
    after rows: ObservedRows,
    isComplete: Bool,
    _ changed: [ObjectKey],
    _ stamps: inout RowStamps,
    in environment: QueryEnvironment
  ) throws -> ObservedRows? {
    let removed = RowFinder(changed).indexes(in: rows)
    var added: [(place: Int, candidate: Candidate)] = []
    var low = 0
    let candidates = try candidates(changed, &stamps, in: environment)
    let distance = rows.count / max(candidates.count, 1)
    for candidate in candidates {
      guard let place = try place(of: candidate, in: rows, from: low, distance, removed, environment) else {
        return nil
      }
      low = place
      // An object that belongs after the last remaining row may also belong after rows that are not loaded.
      if !isComplete, Self.next(from: place, notIn: removed) >= rows.count { break }
      added.append((place, candidate))
    }
    return edited(rows, removed, added)
  }

  /// Returns the changed objects that match the query, in the order of the query.
  private func candidates(
    _ changed: [ObjectKey],
    _ stamps: inout RowStamps,
    in environment: QueryEnvironment
  ) throws -> [Candidate] {
    var candidates: [Candidate] = []
    for key in changed {
      let candidate: Candidate? = try key.bytes.withUnsafeBytes { bytes in
        guard let record = try environment.transaction.get(records, bytes),
          let row = try environment.foundRow(of: table, key: bytes, record: record, if: condition)
        else { return nil }
        let sortKey = try self.sortKey(of: row, in: environment)
        if let bounds, !sortKey.withUnsafeBytes({ bounds.contain($0, bytes) }) { return nil }
        return Candidate(key: key, stamp: try stamps.stamp(of: row, in: environment), sortKey: sortKey)
      }
      if let candidate { candidates.append(candidate) }
    }
    candidates.sort { first, second in
      let result = first.sortKey.withUnsafeBytes { key in
        second.sortKey.withUnsafeBytes { order.compare(key, $0) }
      }
      return result == 0 ? first.key < second.key : result < 0
    }
    return candidates
  }

  private func sortKey(of row: QueryRow, in environment: QueryEnvironment) throws -> [UInt8] {
    scratch.removeAll()
    try order.append(row, in: environment, to: &scratch)
    return scratch.bytes
  }

  // MARK: Positions

  /// Returns the index of the first row after a candidate, or `nil` if the record of a row is missing.
  ///
  /// - Parameter distance: the expected distance from `start`. If there are many candidates, each is close to
  ///   the previous one.
  private func place(
    of candidate: Candidate,
    in rows: ObservedRows,
    from start: Int,
    _ distance: Int,
    _ removed: [Int],
    _ environment: QueryEnvironment
  ) throws -> Int? {
    var (low, high) = (start, rows.count)
    var step = max(distance, 1)
    while step < high - low {
      let probe = Self.next(from: low + step, notIn: removed)
      if probe >= high { break }
      guard let isBefore = try isRow(probe, of: rows, before: candidate, environment) else { return nil }
      if isBefore { low = probe + 1 } else { high = low + step }
      step *= 2
    }
    while low < high {
      let middle = (low + high) / 2
      // The row of a changed object cannot be compared, because its position may be outdated.
      let probe = Self.next(from: middle, notIn: removed)
      if probe >= high {
        high = middle
        continue
      }
      guard let isBefore = try isRow(probe, of: rows, before: candidate, environment) else { return nil }
      if isBefore { low = probe + 1 } else { high = middle }
    }
    return low
  }

  private static func next(from index: Int, notIn removed: [Int]) -> Int {
    var (low, high) = (0, removed.count)
    while low < high {
      let middle = (low + high) / 2
      if removed[middle] < index { low = middle + 1 } else { high = middle }
    }
    var index = index
    while low < removed.count, removed[low] == index {
      low += 1
      index += 1
    }
    return index
  }

  private func isRow(
    _ index: Int,
    of rows: ObservedRows,
    before candidate: Candidate,
    _ environment: QueryEnvironment
  ) throws -> Bool? {
    let isBefore: Bool?? = try rows.withKey(at: index) { key in
      var result = 0
      if !order.parts.isEmpty {
        guard let record = try environment.transaction.get(records, key) else { return nil }
        try environment.verify(record, key, of: table)
        scratch.removeAll()
        try order.append(QueryRow(key: key, record: record, of: table), in: environment, to: &scratch)
        result = scratch.withBytes { own in
          candidate.sortKey.withUnsafeBytes { order.compare(own, $0) }
        }
      }
      if result == 0 { result = candidate.key.bytes.withUnsafeBytes { ByteRange.compare(key, $0) } }
      return result < 0
    }
    return isBefore ?? nil
  }

  // MARK: Editing

  private func edited(
    _ rows: ObservedRows,
    _ removed: [Int],
    _ added: [(place: Int, candidate: Candidate)]
  ) -> ObservedRows {
    var builder = ObservedRowsBuilder()
    var position = 0
    var next = 0
    func append(before place: Int) {
      while next < added.count, added[next].place <= place {
        builder.append(rows, position..<added[next].place)
        position = added[next].place
        let candidate = added[next].candidate
        candidate.key.bytes.withUnsafeBytes { builder.append($0, stamp: candidate.stamp) }
        next += 1
      }
      builder.append(rows, position..<place)
      position = place
    }
    for index in removed {
      append(before: index)
      position = index + 1
    }
    append(before: rows.count)
    return builder.finish()
  }
}
