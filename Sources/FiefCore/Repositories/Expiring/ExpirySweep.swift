import Foundation
import LMDB

/// The deletion, in a write, of expired objects and of the oldest objects beyond the limits of their
/// lifetimes.
struct ExpirySweep {
  let transaction: WriteTransaction
  let type: Object.Type
  let table: Table
  let lifetime: DeclaredLifetime

  /// Returns the expired objects as up to three queries, each of which is one range of an index.
  static func expired(
    _ objects: Results<Object>,
    _ lifetime: DeclaredLifetime,
    at now: Date
  ) -> [Results<Object>] {
    let path = QueryOperand.path(QueryPath(lifetime.property.name))
    func matching(_ comparison: QueryComparison, _ value: QueryValue) -> Results<Object> {
      objects.filtered(by: .comparison(path, comparison, .value(value)))
    }
    let old = matching(.less, .date(lifetime.limit(at: now).timeIntervalSinceReferenceDate))
    let future = matching(.greater, .date(now.timeIntervalSinceReferenceDate))
    return lifetime.property.type.isOptional ? [matching(.equal, .null), old, future] : [old, future]
  }

  /// Deletes expired objects, starting with the oldest if the date has an index.
  ///
  /// - Returns: the number of deleted objects.
  func deleteExpired(at now: Date, limit: Int) throws -> Int {
    var count = 0
    for expired in Self.expired(transaction.objects(type), lifetime, at: now) where count < limit {
      count += try delete(oldest: expired, count: limit - count, sorts: isIndexed)
    }
    return count
  }

  /// Deletes the oldest objects beyond the limits.
  ///
  /// - Parameter kept: the key of an object to keep.
  func evict(limit: Int, keeping kept: ObjectKey? = nil) throws -> Int {
    var count = 0
    while count < limit {
      try transaction.prepareForReading()
      let wanted = min(try Self.excess(of: table, lifetime, in: transaction.liveTransaction()), limit - count)
      if wanted <= 0 { break }
      let deleted = try delete(oldest: transaction.objects(type), count: wanted, sorts: true, keeping: kept)
      // The remaining objects cannot be deleted.
      if deleted == 0 { break }
      count += deleted
    }
    return count
  }

  /// Returns the number of objects beyond the limits. For the limit in bytes it uses the mean size of an
  /// object.
  static func excess(of table: Table, _ lifetime: DeclaredLifetime, in transaction: LMDB.Transaction) throws
    -> Int
  {
    guard let records = table.records, lifetime.maximumCount != nil || lifetime.maximumBytes != nil else {
      return 0
    }
    let statistics = try transaction.statistics(records)
    let count = statistics.entries
    var excess = lifetime.maximumCount.map { count - $0 } ?? 0
    let pages = statistics.branchPages + statistics.leafPages + statistics.overflowPages
    let bytes = pages * statistics.pageSize
    if let most = lifetime.maximumBytes, bytes > most, bytes > statistics.pageSize {
      excess = max(excess, 1, Int(Double(count) * Double(bytes - most) / Double(bytes)))
    }
    return min(excess, count)
  }

  private var isIndexed: Bool {
    table.indexes.contains {
      $0.entry.kind == .ordered && $0.columns.count == 1 && $0.columns[0].name == lifetime.property.column
    }
  }

  /// Deletes objects from the beginning of a query, and keeps objects whose deletion a rule denies.
  private func delete(
    oldest objects: Results<Object>,
    count: Int,
    sorts: Bool,
    keeping kept: ObjectKey? = nil
  ) throws -> Int {
    var deleted = 0
    var passed = 0
    while deleted < count {
      let keys = try keys(of: objects, count: count - deleted, offset: passed, sorts: sorts)
      if keys.isEmpty { break }
      let wanted = keys.filter { $0 != kept }
      passed += keys.count - wanted.count
      let done = try delete(wanted)
      deleted += done
      passed += wanted.count - done
    }
    return deleted
  }

  /// Deletes objects together. If a rule denies this, deletes each object separately.
  ///
  /// - Returns: the number of these objects that were deleted, directly or through a relationship.
  private func delete(_ keys: [ObjectKey]) throws -> Int {
    do {
      try transaction.delete(ofType: type, forPrimaryKeys: keys)
      return keys.count
    } catch let error as FiefError where error.code == .deletionDenied {}
    return try keys.count { key in
      do { try transaction.delete(ofType: type, forPrimaryKeys: CollectionOfOne(key)) } catch let error
        as FiefError
      {
        if error.code == .deletionDenied { return false }
        // The deletion of another object has already deleted this one.
        if error.code != .objectNotFound { throw error }
      }
      return true
    }
  }

  private func keys(of objects: Results<Object>, count: Int, offset: Int, sorts: Bool) throws -> [ObjectKey] {
    let chosen = objects.describing {
      $0.limit = .first(count)
      $0.offset = offset
      if sorts { $0.order = [QueryOrder(.path(QueryPath(lifetime.property.name)), ascending: true)] }
    }
    var keys: [ObjectKey] = []
    try chosen.forEachRow { row, _ in
      keys.append(ObjectKey(row.key))
      return true
    }
    return keys
  }
}
