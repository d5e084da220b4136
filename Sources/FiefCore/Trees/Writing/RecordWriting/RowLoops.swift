/// A loop over rows. It returns the rows of the state in which it began.
package protocol RowLoop: AnyObject {
  /// Whether a change of a table's records affects the remaining rows.
  ///
  /// - Parameter table: The table of the records, or `nil` for a large collection.
  func isConcerned(by table: Table?) -> Bool

  /// Reads the keys of the remaining rows in the state before a change.
  func keepRest()
}

/// The loops over rows that began in one scope.
///
/// Invariant: ``willChange(_:)`` is called before each change of records and of large collections.
struct RowLoops {
  private struct Entry {
    weak var loop: (any RowLoop)?
  }

  private var entries: [Entry] = []

  mutating func add(_ loop: any RowLoop) {
    entries.removeAll { $0.loop == nil }
    entries.append(Entry(loop: loop))
  }

  /// Makes each loop that the change affects read the keys of its remaining rows.
  ///
  /// - Parameter table: The table of the records, or `nil` for a large collection.
  mutating func willChange(_ table: Table?) {
    if entries.isEmpty { return }
    entries.removeAll { entry in
      guard let loop = entry.loop else { return true }
      guard loop.isConcerned(by: table) else { return false }
      loop.keepRest()
      return true
    }
  }

  /// Makes all loops read the keys of their remaining rows.
  mutating func keepAll() {
    for entry in entries { entry.loop?.keepRest() }
    entries = []
  }
}
