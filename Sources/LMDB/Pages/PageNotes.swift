import CLMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The pages whose values the layer above has found to be correct since the pages were last written.
///
/// A page is noted with the number of the commit in which it was read. LMDB does not write to a page of a
/// commit before a later commit has freed the page, and it stores the numbers of the pages that a commit has
/// freed under that commit's number. A note is therefore valid as long as no later commit of any process has
/// freed the page. The list of pages that a commit has freed may already be consumed two commits later. If
/// more than two commits have been made since the last check, all notes are void.
final class PageNotes: @unchecked Sendable {
  // SAFETY: `entries` has two words for each of `count` pages, initially zero, in `memory`, which is freed
  // with this object. The environment keeps this object alive until no reader is active. Words are atomic.
  // `isLooking` guards `take`.

  /// The number of pages that fit in the map.
  let count: Int
  /// The size of a page in bytes.
  let pageSize: Int
  /// The commit in which each page was noted, and the last known commit that has freed it, as numbers of
  /// `stamp(of:)`.
  let entries: UnsafeMutablePointer<Atomic<UInt32>>
  private let memory: SparseMemory
  /// The commit that counts as the first one.
  private let base: UInt64
  /// Notes of commits before this one are void.
  let floor = Atomic<UInt32>(1)
  /// The last commit whose freed pages are known.
  private let known: Atomic<UInt64>
  private let isLooking = OwnedLock(())

  /// Returns `nil` if there is not enough address space.
  init?(pages count: Int, of pageSize: Int, at commit: UInt64) {
    guard let memory = SparseMemory(size: count * 2 * MemoryLayout<Atomic<UInt32>>.stride) else { return nil }
    self.count = count
    self.pageSize = pageSize
    self.memory = memory
    entries = memory.base.bindMemory(to: Atomic<UInt32>.self, capacity: 2 * count)
    base = commit
    known = Atomic(commit)
  }

  /// Makes the words of a page writable. Returns `false` if the system has no memory for them.
  @inline(__always)
  func makeWritable(_ page: Int) -> Bool {
    let size = 2 * MemoryLayout<Atomic<UInt32>>.stride
    return memory.makeWritable(page &* size, count: size)
  }

  /// Returns the number of a commit in the notes, from 1, or 0 for a commit that cannot be noted.
  func stamp(of commit: UInt64) -> UInt32 {
    guard commit >= base, commit - base < UInt64(UInt32.max) - 1 else { return 0 }
    return UInt32(commit - base) + 1
  }

  /// Whether the pages that a commit and all earlier commits have freed are known.
  func knows(_ commit: UInt64) -> Bool { known.load(ordering: .acquiring) >= commit }

  /// Records the pages that the commits up to a reader's commit have freed.
  ///
  /// - Parameter isSound: Whether LMDB can be trusted to read the list of free pages.
  func follow(_ reader: OpaquePointer, isSound: () -> Bool) {
    let commit = UInt64(mdb_txn_id(reader))
    isLooking.withLock { _ in
      let last = known.load(ordering: .relaxed)
      guard commit > last else { return }
      var isComplete = commit - last <= 2 && isSound()
      for freeing in last + 1...max(commit, last + 1) where isComplete {
        isComplete = take(freeing, reader)
      }
      if !isComplete { floor.store(stamp(of: commit), ordering: .relaxed) }
      known.store(commit, ordering: .releasing)
    }
  }

  /// Records the pages that a commit has freed. Returns `false` if they cannot be determined.
  private func take(_ commit: UInt64, _ reader: OpaquePointer) -> Bool {
    let stamp = stamp(of: commit)
    var opened: OpaquePointer?
    guard stamp > 0, mdb_cursor_open(reader, Transaction.freeList, &opened) == MDB_SUCCESS,
      let cursor = opened
    else { return false }
    defer { mdb_cursor_close(cursor) }
    var number = commit
    var value = MDB_val()
    let code = withUnsafeMutableBytes(of: &number) { bytes in
      var key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      return mdb_cursor_get(cursor, &key, &value, MDB_SET)
    }
    // A commit that has only written new pages has freed none.
    if code == MDB_NOTFOUND { return true }
    // SAFETY: the value is LMDB's own list: the count of the numbers, followed by the numbers.
    guard code == MDB_SUCCESS, let data = value.mv_data, value.mv_size >= 8 else { return false }
    let numbers = data.loadUnaligned(as: UInt64.self)
    guard numbers <= UInt64(value.mv_size / 8 - 1) else { return false }
    for index in 0..<Int(numbers) {
      let page = data.loadUnaligned(fromByteOffset: 8 * (index + 1), as: UInt64.self)
      guard page < UInt64(count), makeWritable(Int(page)) else { return false }
      let place = 2 * Int(page)
      // A note that was void before this commit must stay void for readers of earlier commits.
      let noted = entries[place].load(ordering: .relaxed)
      if noted < entries[place + 1].load(ordering: .relaxed) {
        _ = entries[place].compareExchange(expected: noted, desired: 0, ordering: .acquiringAndReleasing)
      }
      entries[place + 1].store(stamp, ordering: .releasing)
    }
    return true
  }
}
