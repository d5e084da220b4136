import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The pages of a data file that were found to be right since it was opened.
///
/// The structure of a page is checked once. Its entry is the number of the page that leads to it: where
/// another one does, as after each commit that has copied that one, only the place of its keys is compared
/// again. Pages behind `limit` were not in the file when it was opened; LMDB has written them since.
final class CheckedPages: @unchecked Sendable {
  // SAFETY: `parents` has `limit` entries, all zero at first, and is freed with this object, which the environment
  // keeps as long as anything reads its pages; an entry is one atomic word.

  /// The number of pages that the file had when it was opened; at least the two meta pages.
  let limit: UInt64
  /// Whether the store is so small that all its pages are checked before its first write, and before the first count
  /// of a tree's entries.
  let isSmall: Bool
  /// The page that leads to each page; the root of a tree has the mark of its database; 0 for a page whose
  /// structure was not checked. The entry of page 0, which is in no tree, counts the pages that were checked.
  let parents: UnsafeMutablePointer<Atomic<UInt32>>
  private let isWhole = Atomic(false)
  /// Whether the free list was checked.
  let hasFreeList = Atomic(false)

  /// Fails where there is no memory for it.
  init?(limit: UInt64, isSmall: Bool) {
    let limit = max(limit, 2)
    let count = Int(clamping: limit)
    // Zeroed memory of the system takes no memory before it is written to.
    guard let parents = calloc(count, MemoryLayout<Atomic<UInt32>>.stride) else { return nil }
    self.limit = limit
    self.isSmall = isSmall
    self.parents = parents.bindMemory(to: Atomic<UInt32>.self, capacity: count)
  }

  deinit { free(parents) }

  /// Whether every page was found to be right, so that none has to be checked any more.
  var isComplete: Bool { isWhole.load(ordering: .relaxed) }

  func complete() { isWhole.store(true, ordering: .relaxed) }

  /// The number of pages whose structure was checked, one by one.
  var lookedAt: Int { Int(parents[0].load(ordering: .relaxed)) }
}
