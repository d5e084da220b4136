/// A loop over rows, which has the rows of the state in which it began.
package protocol RowLoop: AnyObject {
  /// Whether a change of the records of a table concerns the rows that are left.
  ///
  /// - Parameter table: nil for a change of a large collection.
  func isConcerned(by table: Table?) -> Bool

  /// Finds the keys of the rows that are left, in the state before a change.
  func keepRest()
}

/// The loops over rows that began in one scope.
///
/// Invariant: it is called before each change of records and of large collections.
struct RowLoops {
  private struct Entry {
    weak var loop: (any RowLoop)?
  }

  private var entries: [Entry] = []

  mutating func add(_ loop: any RowLoop) {
    entries.removeAll { $0.loop == nil }
    entries.append(Entry(loop: loop))
  }

  /// Lets each loop that the change concerns find the keys of its remaining rows.
  ///
  /// - Parameter table: the table of the records; nil for a large collection.
  mutating func willChange(_ table: Table?) {
    if entries.isEmpty { return }
    entries.removeAll { entry in
      guard let loop = entry.loop else { return true }
      guard loop.isConcerned(by: table) else { return false }
      loop.keepRest()
      return true
    }
  }

  /// Lets all loops find the keys of their remaining rows.
  mutating func keepAll() {
    for entry in entries { entry.loop?.keepRest() }
    entries = []
  }
}
