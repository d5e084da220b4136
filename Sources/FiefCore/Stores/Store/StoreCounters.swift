import LMDB

/// The counts of a store's reads and writes since it was opened. ``Usage`` contains counts by type and label.
public struct StoreMetrics: Sendable, Equatable {
  /// The number of committed transactions.
  public internal(set) var commits: UInt64 = 0
  /// The number of write operations in the committed transactions.
  public internal(set) var writes: UInt64 = 0
  /// The number of write operations that failed.
  public internal(set) var failures: UInt64 = 0
  /// The number of deleted objects, including objects that a cascade deleted.
  public internal(set) var deletes: UInt64 = 0
  /// The number of bytes in the keys and records that objects and selected values were read from.
  public internal(set) var bytesRead: UInt64 = 0
  /// The number of bytes in the keys and records that were written.
  public internal(set) var bytesWritten: UInt64 = 0
  /// The number of objects that matched the conditions of queries. They are counted before any bounds,
  /// offsets and limits that the access path did not apply.
  public internal(set) var matchedRows: UInt64 = 0
  /// The number of objects that were created from records. An object that a scope already had is not counted
  /// again.
  public internal(set) var objectsRead: UInt64 = 0
  /// The number of link targets that were looked up. Links that were not used do not count.
  public internal(set) var linksFollowed: UInt64 = 0
  /// The number of lookups of objects in the store. The rows of a query, a lookup by a key, and a lookup of
  /// many keys in order count as one each.
  public internal(set) var lookups: UInt64 = 0
}

/// The reads of one scope, or of one part of a read. The counts are plain numbers, and are added to the
/// store's counters at the end.
struct ReadTally {
  var objects = 0
  var links = 0
  var lookups = 0

  var isEmpty: Bool { objects | links | lookups == 0 }
}

package final class StoreCounters: Sendable {
  private let state = OwnedLock(StoreMetrics())
  private let reads: ReadCounters
  /// The written and deleted objects, indexed by the number of the table.
  private let written: OwnedLock<[Usage.Counts]>
  private let labels = LabelCounters()
  private let store: String
  private let types: [String]
  /// The ledger of saved usage, or `nil` if the store does not save its usage.
  let ledger: UsageLedger?

  init(_ store: String, _ tables: StoreTables, _ ledger: UsageLedger?) {
    self.store = store
    self.ledger = ledger
    types = tables.all.map(\.name)
    reads = ReadCounters(types: types.count)
    written = OwnedLock(Array(repeating: Usage.Counts(), count: types.count))
  }

  var current: StoreMetrics {
    var metrics = state.withLock { $0 }
    reads.add(to: &metrics)
    for counts in written.withLock({ $0 }) {
      metrics.deletes += counts.deletes
      metrics.bytesWritten += counts.bytesWritten
    }
    return metrics
  }

  var usage: Usage {
    var counts = written.withLock { $0 }
    reads.add(to: &counts)
    var used: [String: Usage.Counts] = [:]
    for (type, counts) in zip(types, counts) where !counts.isEmpty { used[type] = counts }
    return Usage(store: store, types: used, labels: labels.all)
  }

  func count(matchedRows: Int) { state.withLock { $0.matchedRows += UInt64(matchedRows) } }

  package func count(works: Int, failures: Int) {
    state.withLock {
      if works > failures { $0.commits += 1 }
      $0.writes += UInt64(works - failures)
      $0.failures += UInt64(failures)
    }
  }

  // MARK: Reads

  /// Adds the reads of a scope, or of a part of a read, under the label of the current task.
  @inline(__always)
  func add(_ tally: ReadTally, _ costs: ReadCosts) {
    if tally.isEmpty, costs.isEmpty { return }
    if tally.isOneRead, let cost = costs.only, cost.reads == 1 {
      return addPointRead(ofTable: cost.table, bytes: cost.bytes)
    }
    reads.add(tally)
    costs.forEach { reads.add($0) }
    noteReads { costs.forEach($0) }
  }

  /// Adds a lookup by key that found its object.
  @inline(__always)
  func addPointRead(ofTable table: Int, bytes: Int) {
    reads.addPointRead(ofTable: table, bytes: bytes)
    noteReads { $0(ReadCosts.Cost(table: table, reads: 1, bytes: bytes)) }
  }

  /// Adds a lookup by key that found no object.
  @inline(never)
  func addMiss(in table: Table) {
    var costs = ReadCosts()
    costs.add(table)
    add(ReadTally(lookups: 1), costs)
  }

  /// Counts reads under their label and for the budgets.
  @inline(__always)
  private func noteReads(_ costs: ((ReadCosts.Cost) -> Void) -> Void) {
    if ledger == nil, !StoreUsage.isUsed { return }
    costs { note(table: $0.table, Usage.Counts(reads: $0.reads, bytes: $0.bytes), StoreUsage.label) }
  }

  @inline(never)
  private func note(table: Int, _ counts: Usage.Counts, _ label: String?) {
    if let label { labels.add(counts, under: label) }
    if let ledger, types.indices.contains(table) {
      ledger.add([UsageLedger.Entry(type: types[table], label: label, counts: counts)])
    }
  }

  // MARK: Writes

  /// Adds the objects and bytes that a commit wrote and deleted.
  func add(_ writes: [(label: String?, tally: WriteTally)]) {
    var entries: [UsageLedger.Entry] = []
    for (label, tally) in writes {
      for (table, counts) in tally.tables.enumerated() where types.indices.contains(table) {
        let counts = Usage.Counts(counts)
        if counts.isEmpty { continue }
        written.withLock { $0[table].add(counts) }
        if let label { labels.add(counts, under: label) }
        if ledger == nil { continue }
        entries.append(UsageLedger.Entry(type: types[table], label: label, counts: counts))
      }
    }
    if !entries.isEmpty { ledger?.add(entries) }
  }
}

extension ReadTally {
  /// Whether this read finds exactly one object by its key.
  @inline(__always)
  var isOneRead: Bool { objects == 1 && lookups == 1 && links == 0 }
}

extension Usage.Counts {
  fileprivate init(reads: Int, bytes: Int) {
    self.reads = UInt64(truncatingIfNeeded: reads)
    bytesRead = UInt64(truncatingIfNeeded: bytes)
  }

  fileprivate init(_ counts: WriteTally.Counts) {
    writes = UInt64(truncatingIfNeeded: counts.writes)
    deletes = UInt64(truncatingIfNeeded: counts.deletes)
    bytesWritten = UInt64(truncatingIfNeeded: counts.bytes)
  }
}
