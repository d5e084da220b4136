import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Environment {
  /// Whether LMDB's view of the file can no longer be trusted after a failed commit.
  ///
  /// After a failed synchronisation the system may have dropped what it could not write, and a later one
  /// succeeds regardless. After a failed write of a meta page LMDB refuses everything.
  func isDeviceFailure(_ code: Int32) -> Bool {
    if code == MDB_PANIC || isPanicking { return true }
    return code == EIO && !isDiskFull
  }

  /// The error of a code that a write ended with; poisons the environment when the device failed.
  func failedToWrite(_ code: Int32) -> LMDBError {
    if isDeviceFailure(code) { poison() }
    if code == EIO, isDiskFull { return LMDBError(.diskFull, path: directory, returnCode: code) }
    return LMDBError(returnCode: code, path: directory)
  }

  /// Makes every transaction fail until a write has reopened the store.
  func poison() {
    isPoisoned = true
    readers.shut(ReaderPool.Gate.poisoned)
  }

  private var isDiskFull: Bool {
    guard let handle else { return false }
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    return FileSystem.isFull(descriptor)
  }

  private var isPanicking: Bool {
    guard let handle else { return true }
    var begun: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, 0, &begun)
    if let begun { mdb_txn_abort(begun) }
    return code == MDB_PANIC
  }

  /// Reopens a poisoned environment; the writer lock is held.
  ///
  /// - Throws: `poisoned` with the reason in its detail; readers and writers fail with it until a later
  ///   write succeeds here.
  func recover() throws(LMDBError) {
    do throws(LMDBError) {
      try withoutReaders { () throws(LMDBError) in try reopenHandle() }
    } catch {
      throw LMDBError(
        .poisoned,
        "The store could not be reopened after a failure; whether the last commit took place is unknown.",
        path: directory,
        detail: "\(error)",
        returnCode: error.returnCode
      )
    }
  }

  /// Closes and opens LMDB's environment again; the writer lock is held and no reader is active.
  ///
  /// The store is verified in full, since what the system says was written may not be there.
  func reopenHandle() throws(LMDBError) {
    poison()
    closeHandle()
    let place = try StoreDirectory(path: directory, creating: false)
    guard place.identity == identity else {
      throw LMDBError(.unsafePath, "The store's directory was replaced.", path: directory)
    }
    var again = options
    again.createsIfMissing = false
    again.verification = .full
    let opened = try OpenedHandle(place, again, mapSize: mapSize)
    handle = opened.handle
    mapSize = opened.mapSize
    databases.reopenAll(opened.handle)
    isPoisoned = false
    readers.reopen(ReaderPool.Gate.poisoned)
  }

  /// Keeps the configured number of bytes allocated behind the end of the data file.
  ///
  /// Commits use them up as the file grows, so they are topped up here. When that fails the disk is
  /// full, and what is left is for writes that ask for it, until deleting has freed as much inside of the
  /// file.
  func keepReserve(isRequired: Bool) throws(LMDBError) {
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    let size = try sizeOfFile(descriptor, path: directory)
    guard reservedEnd - size < options.reservedBytes / 2 else { return }
    switch FileSystem.allocate(descriptor, from: size, count: options.reservedBytes) {
    case 0: reservedEnd = size + options.reservedBytes
    // The file system cannot allocate ahead: there is no reserve.
    case EOPNOTSUPP, ENOSYS: reservedEnd = Int.max
    case let code:
      guard isRequired else { return }
      let free = try statistics()
      if free.freePages * free.pageSize < options.reservedBytes {
        throw LMDBError(returnCode: code, path: directory, doing: "fallocate")
      }
    }
  }
}
