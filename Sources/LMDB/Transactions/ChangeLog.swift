/// The entries that a write transaction has changed, so that its changes can be recorded and repeated.
///
/// Only keys are kept. The values are read when the changes are requested, so an entry that was changed twice
/// appears once, and an entry whose nested transaction was rolled back appears with its previous value.
final class ChangeLog {
  /// A change of a database.
  struct Entry {
    let database: Database
    /// The offset of the key in `bytes`.
    let start: Int
    /// The key's length; negative if the database was emptied.
    let count: Int

    var isRemovalOfAll: Bool { count < 0 }
  }

  private(set) var entries: [Entry] = []
  private(set) var bytes: [UInt8] = []

  func note(_ database: Database, _ key: UnsafeRawBufferPointer) {
    entries.append(Entry(database: database, start: bytes.count, count: key.count))
    bytes.append(contentsOf: key)
  }

  func noteRemovalOfAll(_ database: Database) {
    entries.append(Entry(database: database, start: bytes.count, count: -1))
  }

  /// Removes the entries of a nested transaction that was rolled back. A database that it emptied has its
  /// entries again.
  func truncate(to count: Int) {
    guard count < entries.count else { return }
    bytes.removeLast(bytes.count - entries[count].start)
    entries.removeLast(entries.count - count)
  }

  /// Returns the changed keys of each database in the order of the keys, without repetitions, and only the
  /// keys since the database was last emptied. The databases are in the order of their first change.
  func sorted() -> [(database: Database, isEmptied: Bool, keys: [Entry])] {
    var result: [(database: Database, isEmptied: Bool, keys: [Entry])] = []
    var places: [Database: Int] = [:]
    for entry in entries {
      let place: Int
      if let known = places[entry.database] {
        place = known
      } else {
        place = result.count
        places[entry.database] = place
        result.append((entry.database, false, []))
      }
      if entry.isRemovalOfAll {
        result[place].isEmptied = true
        result[place].keys = []
      } else {
        result[place].keys.append(entry)
      }
    }
    return bytes.withUnsafeBytes { bytes in
      result.map { ($0.database, $0.isEmptied, Self.unique($0.keys, bytes)) }
    }
  }

  private static func unique(_ keys: [Entry], _ bytes: UnsafeRawBufferPointer) -> [Entry] {
    func key(_ entry: Entry) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[entry.start..<(entry.start + entry.count)])
    }
    let sorted = keys.sorted { key($0).lexicographicallyPrecedes(key($1)) }
    var result: [Entry] = []
    for entry in sorted {
      if let last = result.last, key(last).elementsEqual(key(entry)) { continue }
      result.append(entry)
    }
    return result
  }
}

/// One change that a write transaction has made.
@usableFromInline package enum RecordedChange {
  /// The following changes belong to the database with this name, which is created if it is missing.
  case database(String)
  /// Everything in the database was deleted before the following changes.
  case removeAll
  /// The database was dropped.
  case drop
  /// A key was given a value. The value has the same form as in the file: sealed, if the tree is sealed.
  case put(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
  /// A key has no value.
  case delete(key: UnsafeRawBufferPointer)
}

extension WritableTransaction {
  /// Begins to record changes. Must be called before the first change.
  @usableFromInline package func recordChanges() { session.log = session.log ?? ChangeLog() }

  /// Passes the changes since ``recordChanges()`` to `body`. Applying them to the transaction's initial
  /// state, or to its final state, results in the final state.
  ///
  /// - Parameter body: Must not change this transaction. The bytes are valid until it returns.
  @usableFromInline package func forEachRecordedChange(_ body: (RecordedChange) throws -> Void) throws {
    guard let log = session.log else { return }
    for dropped in session.dropped {
      try body(.database(dropped.name))
      try body(.drop)
    }
    let changes = log.sorted()
    for opened in session.opened where !changes.contains(where: { $0.database == opened.database }) {
      try body(.database(opened.name))
    }
    for (database, isEmptied, keys) in changes {
      guard let name = name(of: database), !session.dropped.contains(where: { $0.name == name }) else {
        continue
      }
      try body(.database(name))
      if isEmptied { try body(.removeAll) }
      try log.bytes.withUnsafeBytes { bytes in
        for entry in keys {
          let key = UnsafeRawBufferPointer(rebasing: bytes[entry.start..<(entry.start + entry.count)])
          if let value = try valueInFile(database, key) {
            try body(.put(key: key, value: value))
          } else {
            try body(.delete(key: key))
          }
        }
      }
    }
  }
}
