extension OptimisticReads {
  /// The reads so far, and the commit with which they were compared.
  struct State: Sendable {
    private(set) var entries: [Entry] = []
    private(set) var answers: [Answer] = []
    /// The number of the commit after which nothing may have changed, because a read was not recorded. `nil`
    /// if all reads are recorded.
    private(set) var onlyCommit: UInt64?
    /// The number of a commit whose state matches all reads, or `nil` if no such commit is known.
    private(set) var commit: UInt64?
    private(set) var staleLines: [String] = []
    var hasWritten = false
    var hasEnded = false
    private var places: [Place: Int] = [:]

    private struct Place: Hashable {
      let type: UInt32
      let key: [UInt8]

      init(_ table: Table, _ key: [UInt8]) {
        type = table.entry.id
        self.key = key
      }
    }

    var isEmpty: Bool { count == 0 }
    private var count: Int { entries.count + answers.count + (onlyCommit == nil ? 0 : 1) }

    /// Stores the result of comparing an earlier value of this state with a commit.
    mutating func didCompare(_ former: State, with commit: UInt64, _ lines: [String]) {
      // Another task may have read further objects in the meantime.
      self.commit = former.count == count && lines.isEmpty ? commit : nil
      if staleLines.isEmpty { staleLines = lines }
    }

    /// Whether an object was already read in a commit's state, and all reads match that commit.
    func knows(_ table: Table, _ key: [UInt8], of commit: UInt64) -> Bool {
      hasEnded || self.commit == commit && places[Place(table, key)] != nil
    }

    mutating func add(_ entry: Entry, of commit: UInt64) {
      if hasEnded { return }
      keep(commit)
      let place = Place(entry.table, entry.key)
      if let known = places[place] {
        if entries[known].record != entry.record, staleLines.isEmpty { staleLines = [entry.line] }
        return
      }
      places[place] = entries.count
      entries.append(entry)
    }

    mutating func add(_ answer: Answer, of commit: UInt64) {
      if hasEnded { return }
      keep(commit)
      answers.append(answer)
    }

    mutating func addEverything(of commit: UInt64) {
      if hasEnded { return }
      keep(commit)
      if let onlyCommit, onlyCommit != commit, staleLines.isEmpty { staleLines = [Self.anything] }
      onlyCommit = commit
    }

    /// The line for a read that any change invalidates.
    static let anything = "objects that were counted or found through an inverse"

    /// Records that the commit's state was read. Concurrent tasks may read different states.
    private mutating func keep(_ commit: UInt64) {
      if self.commit != commit { self.commit = nil }
    }
  }
}
