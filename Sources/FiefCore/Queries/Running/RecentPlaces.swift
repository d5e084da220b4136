import LMDB
import Synchronization

/// Keeps the keys of rows for look-ups by place, for a few queries and one state of each.
///
/// A look-up by place passes over all rows before the place. This type counts the rows that the look-ups of a query pass over. When the
/// count is large enough, the next look-up finds the keys of twice as many rows as it needs. So a loop over all places takes time in
/// proportion to the rows.
final class RecentPlaces: Sendable {
  /// A look-up's next step.
  enum Step {
    /// The row is looked up as if it was the only one.
    case pass
    /// The keys of so many rows are to be found first.
    case find(Int)
    case key(ObjectKey)
    /// There is no such row.
    case end
  }

  /// The state of the store, or of a write in it, that rows are of.
  enum State {
    case commit(UInt64)
    /// The state of a write since its last change.
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
    /// Whether `keys` contains the key of every row.
    var isWhole = false
    /// Whether the search for keys has stopped, because of a damaged record or the size limit.
    var isFull = false
  }

  private struct Entries {
    /// The entry that got keys last is the last one.
    var all: [Entry] = []
    /// The number of the newest commit that is known.
    var newest: UInt64 = 0
  }

  /// The greatest number of queries.
  private static let most = 4
  /// The greatest number of keys of a query.
  static let mostKeys = 1 << 20
  /// The greatest number of bytes of all keys, apart from the last key.
  static let mostBytes = 16 << 20
  /// How many rows earlier look-ups have passed over when keys are found.
  private static let patience = 64

  private let entries = OwnedLock(Entries())
  /// Whether there may be entries. A commit reads it without the lock.
  private let hasEntries = Atomic(false)

  /// The number of bytes of all keys.
  var size: Int { entries.withLock { $0.all.reduce(0) { $0 + $1.keys.size } } }

  /// Whether a commit newer than a state is known.
  func isFormer(_ number: UInt64) -> Bool { entries.withLock { number < $0.newest } }

  /// Drops the keys of the states before a commit.
  ///
  /// A look-up at the same time may keep keys of the former state. They are dropped at the next commit or look-up.
  func didCommit(_ number: UInt64) {
    if hasEntries.load(ordering: .relaxed) { removeAll(before: number) }
  }

  /// Drops all keys. From now on none are kept.
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

  /// The next step of a look-up.
  func step(to index: Int, of description: QueryDescription, _ table: Table, in state: State) -> Step {
    entries.withLock { entries in
      guard let place = place(of: description, table, state, in: &entries) else { return .pass }
      let entry = entries.all[place]
      if index < entry.keys.count { return .key(entry.keys.withKey(at: index) { ObjectKey($0) }) }
      if entry.isWhole { return .end }
      if entry.isFull || index >= Self.mostKeys { return .pass }
      entries.all[place].passed &+= index
      // The first look-up in a state finds no keys: there may be no second one.
      if entry.passed < Self.patience { return .pass }
      return .find(min(max(2 * (index + 1), 4 * Self.patience), Self.mostKeys))
    }
  }

  /// Keeps the keys that were found. Drops the keys of the other queries that were found first, if there is no room.
  ///
  /// - Parameters:
  ///   - keys: nil if they could not be found.
  ///   - isWhole: whether there are no other rows.
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

  /// Returns the index of a query's entry. Adds the entry if the query has none, and removes the entries of other states.
  ///
  /// - Returns: nil for a state that is known to be a former one.
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
