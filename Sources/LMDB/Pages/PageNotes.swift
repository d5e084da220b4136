import CLMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The pages in which the layer above has found the values to be right, since these pages were last written.
///
/// A page is noted with the number of the commit in which it was read. LMDB writes to no page of a commit
/// before a later one has freed it, and keeps the numbers of the pages that a commit has freed under that
/// commit's number. So a note counts as long as no commit after it has freed the page, whichever process has
/// made that commit. The pages that a commit has freed may be used up by the next but one: where more than
/// two commits came without a check, all notes are void.
final class PageNotes: @unchecked Sendable {
  // SAFETY: `entries` has two words for each of `count` pages, all zero at first, in `memory`, which goes with this object;
  // the environment keeps it until no reader is active. A word is atomic. `isLooking` guards `take`.

  /// The number of pages that fit the map.
  let count: Int
  /// The size of a page in bytes.
  let pageSize: Int
  /// The commit in which each page was noted, and the last known one that has freed it; counted by `stamp(of:)`.
  let entries: UnsafeMutablePointer<Atomic<UInt32>>
  private let memory: SparseMemory
  /// The commit that counts as the first one.
  private let base: UInt64
  /// Notes of earlier commits do not count.
  let floor = Atomic<UInt32>(1)
  /// The last commit whose freed pages are known.
  private let known: Atomic<UInt64>
  private let isLooking = OwnedLock(())

  /// Fails if there is no address space for it.
  init?(pages count: Int, of pageSize: Int, at commit: UInt64) {
    guard let memory = SparseMemory(size: count * 2 * MemoryLayout<Atomic<UInt32>>.stride) else { return nil }
    self.count = count
    self.pageSize = pageSize
    self.memory = memory
    entries = memory.base.bindMemory(to: Atomic<UInt32>.self, capacity: 2 * count)
    base = commit
    known = Atomic(commit)
  }

  /// Makes the words of a page writable; returns false if the system has no memory for them.
  @inline(__always)
  func makeWritable(_ page: Int) -> Bool {
    let size = 2 * MemoryLayout<Atomic<UInt32>>.stride
    return memory.makeWritable(page &* size, count: size)
  }

  /// The number of a commit in the notes, from 1; 0 for one that cannot be noted.
  func stamp(of commit: UInt64) -> UInt32 {
    guard commit >= base, commit - base < UInt64(UInt32.max) - 1 else { return 0 }
    return UInt32(commit - base) + 1
  }

  /// Whether the pages that a commit and those before it have freed are known.
  func knows(_ commit: UInt64) -> Bool { known.load(ordering: .acquiring) >= commit }

  /// Notes the pages that the commits up to that of a reader have freed.
  ///
  /// - Parameter isSound: whether LMDB can be trusted to read the list of free pages.
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

  /// Notes the pages that a commit has freed; false where that cannot be said.
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
    // A commit that has changed nothing but new pages has freed none.
    if code == MDB_NOTFOUND { return true }
    // SAFETY: LMDB's own list: the count of the numbers, and the numbers.
    guard code == MDB_SUCCESS, let data = value.mv_data, value.mv_size >= 8 else { return false }
    let numbers = data.loadUnaligned(as: UInt64.self)
    guard numbers <= UInt64(value.mv_size / 8 - 1) else { return false }
    for index in 0..<Int(numbers) {
      let page = data.loadUnaligned(fromByteOffset: 8 * (index + 1), as: UInt64.self)
      guard page < UInt64(count), makeWritable(Int(page)) else { return false }
      let place = 2 * Int(page)
      // A note that did not count before this commit does not count for the readers of earlier ones either.
      let noted = entries[place].load(ordering: .relaxed)
      if noted < entries[place + 1].load(ordering: .relaxed) {
        _ = entries[place].compareExchange(expected: noted, desired: 0, ordering: .acquiringAndReleasing)
      }
      entries[place + 1].store(stamp, ordering: .releasing)
    }
    return true
  }
}

extension Environment {
  /// The notes about pages, made at first use; nil where there can be none. A reader is active, or the writer lock is held.
  func pageNotes(at commit: UInt64) -> PageNotes? {
    if let known = knownNotes { return known }
    guard options.durability != .none, let handle else { return nil }
    var sizes = MDB_stat()
    mdb_env_stat(handle, &sizes)
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    let pageSize = Int(sizes.ms_psize)
    guard pageSize > 0 else { return nil }
    guard let made = PageNotes(pages: info.me_mapsize / pageSize, of: pageSize, at: commit) else {
      reportOnce(Self.noAddressSpace(directory))
      return nil
    }
    let pointer = Unmanaged.passRetained(made)
    let result = notes.compareExchange(
      expected: nil,
      desired: UnsafeRawPointer(pointer.toOpaque()),
      ordering: .acquiringAndReleasing
    )
    if result.exchanged { return made }
    // Another thread was faster.
    pointer.release()
    return knownNotes
  }

  /// The notes about pages, if they were made.
  var knownNotes: PageNotes? {
    // SAFETY: retained by `pageNotes` until `forgetNotes`, when no reader is active.
    notes.load(ordering: .acquiring).map { Unmanaged<PageNotes>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Forgets the notes, as the map or the file is another one; no reader is active.
  func forgetNotes() {
    if let old = notes.exchange(nil, ordering: .acquiringAndReleasing) {
      Unmanaged<PageNotes>.fromOpaque(old).release()
    }
  }

  /// Notes the pages that a commit of this process has freed, so that the notes about all other pages stay;
  /// the writer lock is held.
  func noteFreedPages() {
    guard let handle else { return }
    let all = [knownNotes, knownOpenedPages?.notes].compactMap { $0 }
    guard !all.isEmpty else { return }
    // A reader of its own, since a close may have shut the gate. Where no slot is free the notes are void
    // after the next commit but one.
    var begun: OpaquePointer?
    guard mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun) == MDB_SUCCESS, let reader = begun else {
      return
    }
    defer { mdb_txn_abort(reader) }
    for notes in all { notes.follow(reader) { isFreeListSound } }
  }

  /// Whether LMDB can read the list of free pages.
  var isFreeListSound: Bool {
    guard let checkedPages, !checkedPages.isComplete else { return true }
    return checkedPages.hasFreeList.load(ordering: .relaxed)
  }
}
