import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension EnvironmentHandle {
  /// The time for which opening is retried while other processes exchange the file or delete the store.
  private static let patience: Int64 = 10_000_000_000
  /// The time for which a reader may be one commit behind. The meta page of a commit is written and then
  /// synchronised before the commit counts.
  private static let commitPatience: Int64 = 500_000_000

  /// Opens the store in a directory that no environment of this process has open.
  ///
  /// If another process exchanges the file or deletes the store in the meantime, the store is opened again.
  init(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions,
    mapSize: Int
  ) throws(LMDBError) {
    var firstFailure: Int64?
    var pause: UInt32 = 100
    while true {
      do throws(LMDBError) {
        self = try EnvironmentHandle(once: directory, options, mapSize: mapSize)
        return
      } catch {
        // A file system that cannot map files also reports `EINVAL`, but permanently.
        let limit = error.returnCode == EINVAL ? Self.commitPatience : Self.patience
        // The time that the process has waited for the lock does not count.
        let now = monotonicNanoseconds()
        firstFailure = firstFailure ?? now
        guard error.isPassing, directory.isNamed, now - (firstFailure ?? now) < limit else { throw error }
      }
      // The pauses are random so that processes do not retry simultaneously: a process that finds itself
      // alone rebuilds the lock table.
      usleep(UInt32.random(in: pause / 2...pause))
      pause = min(pause * 2, 20_000)
    }
  }

  /// Whether a code of `mdb_env_open` results from waiting for a process that exchanged the file, so that the
  /// table was invalidated or is still empty. The data file itself has already been checked.
  static func isPassing(_ code: Int32) -> Bool { code == MDB_INVALID || code == EINVAL || code == ENOENT }

  /// Checks that the lock table belongs to the data file, so that readers obtain the newest commit from it.
  ///
  /// - Throws: A passing error if the table remains behind the file or ahead of it; `inUse` if the system
  ///   does not allow the process to read.
  static func checkTable(
    _ handle: OpaquePointer,
    _ options: EnvironmentOptions,
    _ path: String
  ) throws(LMDBError) {
    let begin = monotonicNanoseconds()
    var mayWrite = !options.isReadOnly
    while true {
      guard let (seen, newest) = try commits(handle, path) else { return }
      if seen == newest { return }
      // A commit in progress reaches the file first. It explains a difference of one commit, and no other
      // difference.
      guard seen &+ 1 == newest else { break }
      if monotonicNanoseconds() - begin < commitPatience {
        usleep(200)
        continue
      }
      guard mayWrite else {
        // A process was killed in the middle of a commit. The next writer corrects the table, and the state
        // before that commit is consistent. An empty table would hide a store.
        if seen > 0 { return }
        break
      }
      // A writer waits for the commit, or corrects the table after a process was killed.
      mayWrite = false
      var writer: OpaquePointer?
      let code = mdb_txn_begin(handle, nil, 0, &writer)
      if let writer { mdb_txn_abort(writer) }
      guard code == MDB_SUCCESS || code == MDB_MAP_RESIZED else {
        throw LMDBError(returnCode: code, path: path, doing: "mdb_txn_begin")
      }
    }
    var error = LMDBError(
      .inUse,
      "The lock table belongs to a replaced file: close the store in all processes and open it again.",
      path: path
    )
    error.isPassing = true
    throw error
  }

  /// Returns the commit that a reader sees, and the newest commit of the file. Returns `nil` if no reader
  /// slot is free.
  private static func commits(_ handle: OpaquePointer, _ path: String) throws(LMDBError) -> (UInt64, UInt64)?
  {
    var hasCleared = false
    var attempts = 0
    while true {
      var begun: OpaquePointer?
      let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun)
      switch code {
      case MDB_SUCCESS: break
      case MDB_MAP_RESIZED where attempts < 20:
        attempts += 1
        // After a failure, LMDB has no map, and a transaction would access unmapped memory.
        let resized = mdb_env_set_mapsize(handle, 0)
        guard resized == MDB_SUCCESS else { throw LMDBError(.mapFull, path: path, returnCode: resized) }
        continue
      case MDB_READERS_FULL:
        if hasCleared { return nil }
        hasCleared = true
        var count: Int32 = 0
        mdb_reader_check(handle, &count)
        continue
      default: throw LMDBError(readerCode: code, path: path)
      }
      guard let reader = begun else { return nil }
      let seen = UInt64(mdb_txn_id(reader))
      mdb_txn_abort(reader)
      var info = MDB_envinfo()
      mdb_env_info(handle, &info)
      return (seen, UInt64(info.me_last_txnid))
    }
  }
}

extension LMDBError {
  /// Creates the error for a read that could not begin.
  ///
  /// The first read of a process takes LMDB's lock on the byte whose offset is the process id, so that others
  /// see that the process is alive. Processes in two containers may have the same id.
  init(readerCode code: Int32, path: String?) {
    guard code == EAGAIN else {
      self.init(returnCode: code, path: path, doing: "mdb_txn_begin")
      return
    }
    self.init(
      .inUse,
      "A process with the same id in another container has the store open: let the containers share a "
        + "process namespace, or give their processes different ids.",
      path: path,
      detail: "process \(getpid())",
      returnCode: code
    )
  }
}
