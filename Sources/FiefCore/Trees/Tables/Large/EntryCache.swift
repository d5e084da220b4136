/// A cache of the sorted entries of large sets and maps in an encrypted store. It evicts the least recently
/// used entries when it exceeds its size limit.
///
/// Collections are read in parts. Without the cache, each part would sort the whole collection again.
struct EntryCache: Sendable {
  /// The default size limit of the cache, in bytes.
  static let largest = 32 << 20

  private struct CachedEntries: Sendable {
    /// The commit in whose state the entries were read.
    var commit: UInt64
    var entries: SortedEntries
    /// The sequence number of the last use.
    var used: UInt64
  }

  private let limit: Int
  private var collections: [[UInt8]: CachedEntries] = [:]
  private var uses: UInt64 = 0
  private(set) var size = 0

  init(atMost limit: Int = Self.largest) { self.limit = limit }

  /// Returns the entries of a collection, or `nil` if they are not cached for this commit.
  ///
  /// - Parameter collection: The prefix of all keys of the collection.
  mutating func entries(of collection: [UInt8], at commit: UInt64) -> SortedEntries? {
    guard let known = collections[collection], known.commit == commit else { return nil }
    uses += 1
    collections[collection]?.used = uses
    return known.entries
  }

  /// Caches the entries of a collection. Entries of other commits are removed first. If the cache becomes too
  /// large, evicts the least recently used entries.
  mutating func keep(_ entries: SortedEntries, of collection: [UInt8], at commit: UInt64) {
    guard entries.size <= limit else { return }
    uses += 1
    remove(collection)
    size += entries.size
    collections[collection] = CachedEntries(commit: commit, entries: entries, used: uses)
    guard size > limit else { return }
    // Evicts entries until half of the limit is used, so that not every insertion has to sort the whole
    // cache.
    for (old, _) in collections.sorted(by: { $0.value.used < $1.value.used }) where size > limit / 2 {
      if old != collection { remove(old) }
    }
  }

  private mutating func remove(_ collection: [UInt8]) {
    size -= collections.removeValue(forKey: collection)?.entries.size ?? 0
  }
}
