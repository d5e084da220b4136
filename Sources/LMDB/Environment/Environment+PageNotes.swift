import CLMDB
import Synchronization

extension Environment {
  /// Returns the notes about pages, which are created on first use, or `nil` if they cannot be created. A
  /// reader must be active, or the writer lock held.
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

  /// The notes about pages, if they were created.
  var knownNotes: PageNotes? {
    // SAFETY: `pageNotes` retains the notes until `forgetNotes`, when no reader is active.
    notes.load(ordering: .acquiring).map { Unmanaged<PageNotes>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Discards the notes because the map or the file has changed. No reader may be active.
  func forgetNotes() {
    if let old = notes.exchange(nil, ordering: .acquiringAndReleasing) {
      Unmanaged<PageNotes>.fromOpaque(old).release()
    }
  }

  /// Records the pages that a commit of this process has freed, so that the notes about all other pages stay
  /// valid. The writer lock must be held.
  func noteFreedPages() {
    guard let handle else { return }
    let all = [knownNotes, knownOpenedPages?.notes].compactMap { $0 }
    guard !all.isEmpty else { return }
    // A separate reader, because a close may have shut the gate. If no slot is free, the notes become void
    // two commits later.
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
