import FiefCore
import LMDB

/// Puts changed objects where they belong among rows that have not changed.
///
/// Places single objects among the rows, for a query whose condition and order read nothing but a row's own
/// record: all other objects stay as they are.
final class RowPlacing {
  /// An object that is to be a row.
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

  /// - Returns: nil where more than the record of an object decides about its row.
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

  /// The rows after objects have changed.
  ///
  /// - Parameters:
  ///   - rows: the rows before, of which those of all other objects are still there and in this order.
  ///   - isComplete: whether that is all there were; otherwise they are the first ones.
  ///   - changed: the keys of the objects.
  /// - Returns: nil where a row has no record.
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
      // An object behind the last row that stays may also belong behind rows that are not known.
      if !isComplete, Self.next(from: place, notIn: removed) >= rows.count { break }
      added.append((place, candidate))
    }
    return edited(rows, removed, added)
  }

  /// The changed objects that are rows, in their order.
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

  // MARK: Places

  /// The index of the first row that comes behind a candidate; nil where a row has no record.
  ///
  /// - Parameter distance: the likely distance behind `start`: each of many candidates is near the last one.
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
      // A row of a changed object says nothing about its place.
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
