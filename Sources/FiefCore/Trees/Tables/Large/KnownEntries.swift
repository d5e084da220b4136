/// The entries of large sets and maps that an encrypted store has sorted: those used last, up to a size.
///
/// Results are read in parts, and each part would sort the whole collection again.
struct KnownEntries: Sendable {
  /// The greatest size of all of them, in bytes.
  static let largest = 32 << 20

  private struct Known: Sendable {
    /// The commit whose state they are.
    var commit: UInt64
    var entries: SortedEntries
    /// The number of the use that was their last one.
    var used: UInt64
  }

  private let limit: Int
  private var collections: [[UInt8]: Known] = [:]
  private var uses: UInt64 = 0
  private(set) var size = 0

  init(atMost limit: Int = Self.largest) { self.limit = limit }

  /// The entries of a collection; nil where they are not known for this commit.
  ///
  /// - Parameter collection: the bytes that all keys of the collection begin with.
  mutating func entries(of collection: [UInt8], at commit: UInt64) -> SortedEntries? {
    guard let known = collections[collection], known.commit == commit else { return nil }
    uses += 1
    collections[collection]?.used = uses
    return known.entries
  }

  /// Keeps the entries of a collection, in place of those of another commit and, where they are too many, of those that were not
  /// used for the longest time.
  mutating func keep(_ entries: SortedEntries, of collection: [UInt8], at commit: UInt64) {
    guard entries.size <= limit else { return }
    uses += 1
    remove(collection)
    size += entries.size
    collections[collection] = Known(commit: commit, entries: entries, used: uses)
    guard size > limit else { return }
    // Half of them go at a time, so that not each new one looks through all.
    for (old, _) in collections.sorted(by: { $0.value.used < $1.value.used }) where size > limit / 2 {
      if old != collection { remove(old) }
    }
  }

  private mutating func remove(_ collection: [UInt8]) {
    size -= collections.removeValue(forKey: collection)?.entries.size ?? 0
  }
}
