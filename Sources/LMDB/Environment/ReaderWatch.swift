/// The history that a writer keeps to decide when to search for readers that make the file grow.
///
/// A value without clocks and locks: the environment calls it after each commit.
struct ReaderWatch {
  /// The minimum growth in pages that justifies a search: 1 MiB with pages of 4 KiB.
  static let smallestGrowth = 256
  /// The interval at which readers are searched without growth, in nanoseconds. A reader may hold pages that
  /// were free before.
  static let interval: Int64 = 10_000_000_000
  /// The interval at which commits record their time in the store, in nanoseconds.
  static let timeInterval: Int64 = 1_000_000_000

  private var pages = 0
  private var nextLook = Int64.max
  private var nextTime = Int64.min

  /// Whether the commit in progress should record its time in the store.
  mutating func notesTime(at now: Int64) -> Bool {
    guard now >= nextTime else { return false }
    nextTime = now + Self.timeInterval
    return true
  }

  /// Records a completed commit.
  ///
  /// - Returns: Whether to search for readers, because the file has grown by a quarter since the last search
  ///   or much time has passed.
  mutating func looks(afterCommitTo lastPage: Int, at now: Int64) -> Bool {
    if nextLook == Int64.max || lastPage + 1 < pages {
      // This is the first commit, or the file was replaced.
      pages = lastPage + 1
      nextLook = now + Self.interval
      return false
    }
    guard now >= nextLook || lastPage >= pages + max(pages / 4, Self.smallestGrowth) else { return false }
    pages = lastPage + 1
    nextLook = now + Self.interval
    return true
  }
}

/// The last reported long reader, so that a reader is reported once, and again when it holds twice as much.
struct ReaderReport {
  private struct Report: Equatable {
    var process: Int32
    var transaction: UInt64
    var pages: Int
  }

  private var last: Report?

  /// Whether to report a reader that holds this number of pages.
  mutating func reports(_ reader: ActiveReader, holding pages: Int) -> Bool {
    if let last, last.process == reader.process, last.transaction == reader.transaction,
      pages < last.pages * 2
    {
      return false
    }
    last = Report(process: reader.process, transaction: reader.transaction, pages: pages)
    return true
  }
}
