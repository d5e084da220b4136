import CLMDB
import Synchronization

extension Environment {
  /// Verifies the newest commit of the open store while the store is in use.
  ///
  /// Verification is a long read: pages that commits free in the meantime are kept until it ends.
  ///
  /// - Throws: The errors of ``StoreVerifier/verify(directory:allowsGroup:)``.
  package func verify() throws(LMDBError) -> VerificationReport {
    let report = try verify(.everything)
    // LMDB writes a page that is not in use before it reads the page.
    checkedPages?.complete()
    return report
  }

  /// Verifies the newest commit inside a read. The reader prevents its pages, and the pages of later commits,
  /// from being reused, so no further reader is needed.
  func verifyInRead() throws(LMDBError) -> VerificationReport {
    guard let handle else { throw LMDBError(.environmentClosed, path: directory) }
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    let report = try StoreVerifier.verify(newestIn: descriptor, path: directory)
    checkedPages?.complete()
    return report
  }

  private func verify(_ part: StructuralWalk.Part) throws(LMDBError) -> VerificationReport {
    var attempt = 0
    while true {
      let reader = try beginRead()
      defer { endRead(reader) }
      guard let transaction = reader.handle, let handle else { throw LMDBError(.environmentClosed) }
      var descriptor: Int32 = -1
      mdb_env_get_fd(handle, &descriptor)
      do throws(LMDBError) {
        return try StoreVerifier.verify(pinned: transaction, descriptor, path: directory, part)
      } catch {
        // The snapshot's meta page may have been overwritten before it was read.
        attempt += 1
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        guard UInt64(info.me_last_txnid) > reader.id + 1, attempt < 20 else { throw error }
      }
    }
  }

  /// Whether LMDB may visit all pages without further checks.
  private var areAllPagesChecked: Bool { checkedPages?.isComplete ?? true }

  /// Checks all pages that were not checked when the store was opened, before LMDB visits them.
  func checkAllPages() throws(LMDBError) {
    if !areAllPagesChecked { _ = try verify() }
  }

  /// Checks the free list once, before LMDB reads it.
  func checkFreeList() throws(LMDBError) {
    guard let checkedPages, !areAllPagesChecked, !checkedPages.hasFreeList.load(ordering: .relaxed) else {
      return
    }
    _ = try verify(.freeList)
    checkedPages.hasFreeList.store(true, ordering: .relaxed)
  }

  /// Checks the structures on which LMDB relies in a write, before the first write: the free list, and every
  /// page of a small store. The state with which a write begins cannot change during the write.
  func checkBeforeWriting(_ writer: OpaquePointer) throws(LMDBError) {
    guard let checkedPages, !checkedPages.isComplete else { return }
    if !checkedPages.isSmall, checkedPages.hasFreeList.load(ordering: .relaxed) { return }
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    let last = UInt64(mdb_txn_id(writer)) &- 1
    let part = checkedPages.isSmall ? StructuralWalk.Part.everything : .freeList
    _ = try StoreVerifier.verify(commit: last, descriptor, path: directory, part)
    if checkedPages.isSmall { checkedPages.complete() }
    checkedPages.hasFreeList.store(true, ordering: .relaxed)
  }

  /// Checks every page of a small store once, before the sizes in a tree's record are used. A transaction
  /// must be active.
  @inline(__always)
  func checkSizes() throws(LMDBError) {
    if let checkedPages, checkedPages.isSmall, !checkedPages.isComplete { _ = try verifyInRead() }
  }

  /// Checks all pages at once if the map cannot be read directly, because LMDB then reads the pages.
  func checkPagesLMDBReads() throws(LMDBError) {
    guard let checkedPages, !checkedPages.isComplete else { return }
    let reader = try beginRead()
    var canRead = false
    if let transaction = reader.handle {
      var cursor: OpaquePointer?
      var (key, value) = (MDB_val(), MDB_val())
      var unnamed: MDB_dbi = 0
      if mdb_dbi_open(transaction, nil, 0, &unnamed) == MDB_SUCCESS,
        mdb_cursor_open(transaction, Transaction.unnamed, &cursor) == MDB_SUCCESS
      {
        if mdb_cursor_get(cursor, &key, &value, MDB_FIRST) == MDB_SUCCESS, let data = value.mv_data {
          canRead = memoryMap(transaction, value: data) != nil
        }
        mdb_cursor_close(cursor)
      }
    }
    endRead(reader)
    if !canRead { _ = try verify() }
  }
}
