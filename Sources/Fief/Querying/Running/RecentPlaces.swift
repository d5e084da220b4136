import LMDB

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
    /// Whether the search for keys has failed at a damaged record.
    var isUnfit = false
  }

  /// The greatest number of queries.
  private static let most = 4
  /// The greatest number of keys of a query.
  static let mostKeys = 1 << 20
  /// How many rows earlier look-ups have passed over when keys are found.
  private static let patience = 64

  private let entries = OwnedLock<[Entry]>([])

  /// The next step of a look-up.
  func step(to index: Int, of description: QueryDescription, _ table: Table, in state: State) -> Step {
    entries.withLock { entries in
      guard let place = Self.place(of: description, table, state, in: &entries) else { return .pass }
      let entry = entries[place]
      if index < entry.keys.count { return .key(entry.keys.withKey(at: index) { ObjectKey($0) }) }
      if entry.isWhole { return .end }
      if entry.isUnfit || index >= Self.mostKeys { return .pass }
      entries[place].passed &+= index
      // The first look-up in a state finds no keys: there may be no second one.
      if entry.passed < Self.patience { return .pass }
      return .find(min(max(2 * (index + 1), 4 * Self.patience), Self.mostKeys))
    }
  }

  /// Keeps the keys that were found.
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
      guard let place = Self.place(of: description, table, state, in: &entries) else { return }
      guard let keys else { return entries[place].isUnfit = true }
      if keys.count < entries[place].keys.count { return }
      entries[place].keys = keys
      entries[place].isWhole = isWhole
    }
  }

  /// The index of the entry of a query. Makes the entry if there is none, and removes the entries of other states.
  private static func place(
    of description: QueryDescription,
    _ table: Table,
    _ state: State,
    in entries: inout [Entry]
  ) -> Int? {
    if let place = entries.firstIndex(where: {
      $0.state.isSame(as: state) && $0.table === table && $0.description == description
    }) {
      return place
    }
    if case .commit(let number) = state {
      // A long read is of an older state.
      if case .commit(let newest)? = entries.last?.state, number < newest { return nil }
    }
    entries.removeAll { !$0.state.isSame(as: state) }
    if entries.count >= most { entries.removeFirst() }
    entries.append(Entry(description: description, table: table, state: state))
    return entries.count - 1
  }
}
