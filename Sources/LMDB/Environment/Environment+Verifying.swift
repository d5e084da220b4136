import CLMDB
import Synchronization

extension Environment {
  /// Verifies the newest commit of the open store while it is being used.
  ///
  /// It is a long read: pages that commits free meanwhile are kept until it ends.
  /// - Throws: as ``StoreVerifier/verify(directory:allowsGroup:)``.
  package func verify() throws(LMDBError) -> VerificationReport {
    let report = try verify(.everything)
    // A page that was not in use is written by LMDB before it is.
    checkedPages?.complete()
    return report
  }

  /// Verifies the newest commit inside of a read: the reader keeps its pages, and those of later commits, from being used
  /// again, so that no other one has to be begun.
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

  /// Whether LMDB may go through all pages by itself.
  private var areAllPagesChecked: Bool { checkedPages?.isComplete ?? true }

  /// Checks all pages that were not checked when the store was opened, before LMDB goes through them.
  func checkAllPages() throws(LMDBError) {
    if !areAllPagesChecked { _ = try verify() }
  }

  /// Checks the free list before LMDB reads it, once.
  func checkFreeList() throws(LMDBError) {
    guard let checkedPages, !areAllPagesChecked, !checkedPages.hasFreeList.load(ordering: .relaxed) else {
      return
    }
    _ = try verify(.freeList)
    checkedPages.hasFreeList.store(true, ordering: .relaxed)
  }

  /// Checks what LMDB relies on in a write, before the first one: the free list, and in a small store every page. A write
  /// keeps the state that it begins with.
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

  /// Checks every page of a small store, once, before the sizes in a tree's record are an answer. A transaction is active.
  @inline(__always)
  func checkSizes() throws(LMDBError) {
    if let checkedPages, checkedPages.isSmall, !checkedPages.isComplete { _ = try verifyInRead() }
  }

  /// Checks all pages at once where the map cannot be read directly, so that LMDB has to do it.
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
