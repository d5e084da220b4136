import LMDB
import Synchronization

/// Caches the keys of rows for lookups by index, for a few queries and one state of each query.
///
/// A lookup by index skips all rows before the index. This type counts the rows that a query's lookups have
/// skipped. If the count is large enough, the next lookup finds the keys of twice as many rows as it needs. A
/// loop over all indexes therefore takes time proportional to the number of rows.
final class RecentPlaces: Sendable {
  /// The next step of a lookup.
  enum Step {
    /// Look up the row without caching keys.
    case pass
    /// Find the keys of this many rows first.
    case find(Int)
    case key(ObjectKey)
    /// No row exists at the index.
    case end
  }

  /// The state of the store, or of a write transaction, to which rows belong.
  enum State {
    case commit(UInt64)
    /// The state of a write transaction since its last change.
    case write(UnchangedWrite)

    fileprivate func isSame(as other: State) -> Bool {
      switch (self, other) {
      case (.commit(let one), .commit(let other)): one == other
      case (.write(let one), .write(let other)): one === other && one.isUnchanged
      default: false
      }
    }
  }

  private struct Entry {
    let description: QueryDescription
    let table: Table
    let state: State
    var passed = 0
    var keys = KeyArray()
    /// Whether `keys` contains the keys of all rows.
    var isWhole = false
    /// Whether the search for keys has stopped because of a damaged record or the size limit.
    var isFull = false
  }

  private struct Entries {
    /// The entries. The last entry received keys most recently.
    var all: [Entry] = []
    /// The number of the newest known commit.
    var newest: UInt64 = 0
  }

  /// The maximum number of queries.
  private static let most = 4
  /// The maximum number of keys of a query.
  static let mostKeys = 1 << 20
  /// The maximum number of bytes of all keys, apart from the last key.
  static let mostBytes = 16 << 20
  /// The number of rows that earlier lookups must have skipped before keys are found.
  private static let patience = 64

  private let entries = OwnedLock(Entries())
  /// Whether there may be entries. A commit reads this value without the lock.
  private let hasEntries = Atomic(false)

  /// The number of bytes of all keys.
  var size: Int { entries.withLock { $0.all.reduce(0) { $0 + $1.keys.size } } }

  /// Whether a commit newer than the given one is known.
  func isFormer(_ number: UInt64) -> Bool { entries.withLock { number < $0.newest } }

  /// Drops the keys of the states before a commit.
  ///
  /// A concurrent lookup may cache keys of the former state. They are dropped at the next commit or lookup.
  func didCommit(_ number: UInt64) {
    if hasEntries.load(ordering: .relaxed) { removeAll(before: number) }
  }

  /// Drops all keys and caches no further ones.
  func close() { removeAll(before: .max) }

  private func removeAll(before number: UInt64) {
    entries.withLock { entries in
      entries.newest = max(entries.newest, number)
      entries.all.removeAll {
        guard case .commit(let state) = $0.state else { return true }
        return state < number
      }
      hasEntries.store(!entries.all.isEmpty, ordering: .relaxed)
    }
  }

  /// Returns the next step of a lookup.
  func step(to index: Int, of description: QueryDescription, _ table: Table, in state: State) -> Step {
    entries.withLock { entries in
      guard let place = place(of: description, table, state, in: &entries) else { return .pass }
      let entry = entries.all[place]
      if index < entry.keys.count { return .key(entry.keys.withKey(at: index) { ObjectKey($0) }) }
      if entry.isWhole { return .end }
      if entry.isFull || index >= Self.mostKeys { return .pass }
      entries.all[place].passed &+= index
      // Keys are collected only after earlier lookups in this state have skipped `patience` rows. Otherwise
      // no further lookup may use the keys.
      if entry.passed < Self.patience { return .pass }
      return .find(min(max(2 * (index + 1), 4 * Self.patience), Self.mostKeys))
    }
  }

  /// Caches the keys that were found. If there is no room, it drops the keys of the queries whose keys were
  /// found earliest.
  ///
  /// - Parameters:
  ///   - keys: the keys, or `nil` if they could not be found.
  ///   - isWhole: whether these are the keys of all rows.
  func keep(
    _ keys: KeyArray?,
    isWhole: Bool,
    of description: QueryDescription,
    _ table: Table,
    in state: State
  ) {
    entries.withLock { entries in
      guard let place = place(of: description, table, state, in: &entries) else { return }
      guard let keys else { return entries.all[place].isFull = true }
      if keys.count < entries.all[place].keys.count { return }
      var entry = entries.all.remove(at: place)
      entry.keys = keys
      entry.isWhole = isWhole
      entry.isFull = keys.size >= Self.mostBytes
      while !entries.all.isEmpty, entries.all.reduce(keys.size, { $0 + $1.keys.size }) > Self.mostBytes {
        entries.all.removeFirst()
      }
      entries.all.append(entry)
    }
  }

  /// Returns the index of a query's entry. Adds an entry if the query has none, and removes the entries of
  /// other states.
  ///
  /// - Returns: `nil` if a newer state is known.
  private func place(
    of description: QueryDescription,
    _ table: Table,
    _ state: State,
    in entries: inout Entries
  ) -> Int? {
    if case .commit(let number) = state {
      if number < entries.newest { return nil }
      entries.newest = number
    }
    if let place = entries.all.firstIndex(where: {
      $0.state.isSame(as: state) && $0.table === table && $0.description == description
    }) {
      return place
    }
    entries.all.removeAll { !$0.state.isSame(as: state) }
    if entries.all.count >= Self.most { entries.all.removeFirst() }
    entries.all.append(Entry(description: description, table: table, state: state))
    hasEntries.store(true, ordering: .relaxed)
    return entries.all.count - 1
  }
}
