import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Environment {
  /// Whether LMDB's view of the file can no longer be trusted after a failed commit.
  ///
  /// After a failed synchronisation, the system may have dropped the pages that it could not write, and a
  /// later synchronisation succeeds regardless. After a failed write of a meta page, LMDB refuses everything.
  func isDeviceFailure(_ code: Int32) -> Bool {
    if code == MDB_PANIC || isPanicking { return true }
    return code == EIO && !isDiskFull
  }

  /// Returns the error for the code with which a write ended. Poisons the environment if the device failed.
  func failedToWrite(_ code: Int32) -> LMDBError {
    failed(code, isDeviceFailure: isDeviceFailure(code))
  }

  /// Returns the error for a synchronisation that failed inside a write. Poisons the environment if the
  /// device failed.
  ///
  /// LMDB does not refuse further work after such a failure. Whether it would cannot be queried either,
  /// because that requires a write, for which the thread would wait for itself.
  func failedToSynchronise(_ code: Int32) -> LMDBError {
    failed(code, isDeviceFailure: code == EIO && !isDiskFull)
  }

  private func failed(_ code: Int32, isDeviceFailure: Bool) -> LMDBError {
    if isDeviceFailure { poison() }
    if code == EIO, isDiskFull { return LMDBError(.diskFull, path: directory, returnCode: code) }
    return LMDBError(returnCode: code, path: directory)
  }

  /// Makes every transaction fail until a write has reopened the store.
  func poison() {
    isPoisoned = true
    readers.shut(ReaderPool.Gate.poisoned)
  }

  var isDiskFull: Bool {
    guard let handle else { return false }
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    return FileSystem.isFull(descriptor)
  }

  /// Whether LMDB refuses everything, which it does after a failed write of a meta page.
  var isPanicking: Bool {
    guard let handle else { return true }
    var begun: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, 0, &begun)
    if let begun { mdb_txn_abort(begun) }
    return code == MDB_PANIC
  }

  /// Reopens a poisoned environment. The writer lock must be held.
  ///
  /// - Throws: `poisoned` with the reason in its detail. Readers and writers then fail with it until a later
  ///   write succeeds here.
  func recover() throws(LMDBError) {
    do throws(LMDBError) {
      try withoutReaders { () throws(LMDBError) in try reopenHandle() }
    } catch {
      throw LMDBError(
        .poisoned,
        "The store could not be reopened after a failure.",
        path: directory,
        detail: "\(error)",
        returnCode: error.returnCode
      )
    }
  }

  /// Reopens the store after a failure that made every transaction fail. Every write does this too.
  ///
  /// - Throws: `poisoned` if it still fails; `nestedWrite` inside a write.
  @usableFromInline package func reopenAfterFailure() throws(LMDBError) {
    guard readers.gateState & ReaderPool.Gate.poisoned != 0 else { return }
    try writer.acquire()
    defer { releaseWriter() }
    try checkUsable()
    if isPoisoned { try recover() }
  }

  /// Closes and reopens LMDB's environment. The writer lock must be held, and no reader active.
  ///
  /// After a failure, the store is also synchronised, because the pages that are read may not be on the disk.
  ///
  /// - Parameter verification: Full verification after a failure, because pages that the system reported as
  ///   written may be missing.
  func reopenHandle(verification: Verification = .full) throws(LMDBError) {
    poison()
    closeHandle()
    let place = try openDirectory()
    guard place.identity == identity else {
      throw LMDBError(.unsafePath, "The store's directory was replaced.", path: directory)
    }
    var again = options
    again.createsIfMissing = false
    again.verification = verification
    again.isReopening = true
    let opened = try EnvironmentHandle(place, again, mapSize: mapSize)
    checkedPages?.complete()
    handle = opened.handle
    mapSize = opened.mapSize
    try databases.reopenAll(opened.handle)
    if verification == .full { try synchroniseMetaPages(opened.handle) }
    isPoisoned = false
    readers.reopen(ReaderPool.Gate.poisoned)
  }

  /// Synchronises the newest commit of the file to the disk.
  ///
  /// After a failure, the system may treat a page that it could not write as written, and a later
  /// synchronisation then succeeds without it. Therefore both meta pages are written again, unchanged. The
  /// trees to which they lead were synchronised before the commit wrote its meta page.
  ///
  /// Other processes that have the store open continue from the commit in LMDB's lock table, which a failed
  /// commit has not reached. Therefore a meta page of a later commit is removed: these processes do not see
  /// that commit, and it would become the newest one when all of them have ended.
  private func synchroniseMetaPages(_ handle: OpaquePointer) throws(LMDBError) {
    guard !options.isReadOnly, options.durability != .none else { return }
    // LMDB's lock keeps writers of other processes away from the meta pages.
    let transaction = try lockWriters(handle)
    defer { mdb_txn_abort(transaction) }
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    var sizes = MDB_stat()
    mdb_env_stat(handle, &sizes)
    try MetaPages.repairFailedCommit(descriptor, path: directory)
    var pages: [[UInt8]] = []
    for index in 0..<2 {
      var page = [UInt8](repeating: 0, count: MetaPage.size)
      let read = page.withUnsafeMutableBytes { readFully(descriptor, $0, at: index * Int(sizes.ms_psize)) }
      guard read == page.count else { throw LMDBError.system("pread", path: directory) }
      pages.append(page)
    }
    MetaPages.undoCommits(after: UInt64(mdb_txn_id(transaction)) - 1, in: &pages)
    for index in 0..<2 {
      let written = pages[index].withUnsafeBytes {
        systemWrite(descriptor, $0, at: index * Int(sizes.ms_psize))
      }
      guard written == MetaPage.size else { throw LMDBError.system("pwrite", path: directory) }
    }
    guard systemSynchronise(descriptor) == 0 else { throw LMDBError.system("fdatasync", path: directory) }
  }

  private func lockWriters(_ handle: OpaquePointer) throws(LMDBError) -> OpaquePointer {
    while true {
      var begun: OpaquePointer?
      let code = mdb_txn_begin(handle, nil, 0, &begun)
      if code == MDB_SUCCESS, let begun { return begun }
      // No reader is active, so the map may move.
      guard code == MDB_MAP_RESIZED, mdb_env_set_mapsize(handle, 0) == MDB_SUCCESS else {
        throw LMDBError(returnCode: code, path: directory, doing: "mdb_txn_begin")
      }
      mapSize = EnvironmentHandle.mapSize(of: handle)
    }
  }
}
