import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The pages of a data file that were checked since it was opened.
///
/// The structure of a page is checked once. The entry of a page is the number of its parent page. If another
/// page leads to it, as after each commit that has copied the parent, only the position of its keys is
/// checked again. Pages from `limit` on were not in the file when it was opened; LMDB has written them since
/// then.
final class CheckedPages: @unchecked Sendable {
  // SAFETY: `parents` has `limit` entries, initially zero, and is freed with this object. The environment
  // keeps this object alive as long as anything reads its pages. An entry is one atomic word.

  /// The number of pages that the file had when it was opened; at least the two meta pages.
  let limit: UInt64
  /// Whether the store is so small that all its pages are checked before its first write and before the first
  /// count of a tree's entries.
  let isSmall: Bool
  /// The parent of each page. The root of a tree has the mark of its database. 0 stands for a page whose
  /// structure was not checked. The entry of page 0, which is in no tree, counts the checked pages.
  let parents: UnsafeMutablePointer<Atomic<UInt32>>
  private let isWhole = Atomic(false)
  /// Whether the free list was checked.
  let hasFreeList = Atomic(false)

  /// Returns `nil` if there is not enough memory.
  init?(limit: UInt64, isSmall: Bool) {
    let limit = max(limit, 2)
    let count = Int(clamping: limit)
    // The system's zeroed memory takes no physical memory before it is written.
    guard let parents = calloc(count, MemoryLayout<Atomic<UInt32>>.stride) else { return nil }
    self.limit = limit
    self.isSmall = isSmall
    self.parents = parents.bindMemory(to: Atomic<UInt32>.self, capacity: count)
  }

  deinit { free(parents) }

  /// Whether every page was checked, so that no further checks are needed.
  var isComplete: Bool { isWhole.load(ordering: .relaxed) }

  func complete() { isWhole.store(true, ordering: .relaxed) }

  /// The number of pages whose structure was checked individually.
  var lookedAt: Int { Int(parents[0].load(ordering: .relaxed)) }
}
