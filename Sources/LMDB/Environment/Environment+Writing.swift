import CLMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Environment {
  /// Begins a write transaction, runs `body` and commits, all on the calling thread.
  ///
  /// Only one writer at a time runs in this process. If the map is too small, the transaction is rolled back,
  /// the map is enlarged once this process's readers have ended, and `body` runs **again**. Therefore `body`
  /// must not change anything outside the store that cannot be repeated. If `body` throws, all changes are
  /// rolled back.
  ///
  /// - Parameter usingReserve: Whether the write may use the last `reservedBytes` of the options. Intended
  ///   for deletions when the disk is full.
  /// - Throws: `nestedWrite` on a thread that is already writing; `diskFull`; `readersBlockGrowth`; `mapFull`
  ///   at the maximum size; `inputOutput` if the device failed and nothing was committed; `poisoned` if the
  ///   store could not be reopened after that; `readOnly`, `environmentClosed`, `forkedProcess`; and any
  ///   error of `body`.
  @usableFromInline package func write<R>(
    usingReserve: Bool = false,
    _ body: (WritableTransaction) throws -> R
  ) throws -> R {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !options.isReadOnly else { throw LMDBError(.readOnly, path: directory) }
    endOrphans()
    try writer.acquire()
    defer { releaseWriter() }
    guard hasFileSizeLimit else { return try writeLocked(usingReserve: usingReserve, body) }
    return try FileSizeLimit.withoutSignal { try writeLocked(usingReserve: usingReserve, body) }
  }

  private func writeLocked<R>(usingReserve: Bool, _ body: (WritableTransaction) throws -> R) throws -> R {
    try prepareWriting(usingReserve: usingReserve)
    while true {
      let begun = try beginWriting()
      let session = WriteSession(thread: currentThread(), self)
      let transaction = WritableTransaction(environment: self, handle: begun, session: session)
      let result: R
      do {
        try checkSeal(transaction)
        result = try body(transaction)
      } catch {
        transaction.handle = nil
        // Afterwards the disk may have space again.
        let wasFull = session.firstFailure == EIO && isDiskFull
        undo(begun, session)
        if session.needsGrowth {
          try grow()
          continue
        }
        guard error is LMDBError, session.firstFailure != 0 else { throw error }
        if wasFull { throw LMDBError(.diskFull, path: directory, returnCode: EIO) }
        throw failedToWrite(session.firstFailure)
      }
      // `body` may have stored the object.
      transaction.handle = nil
      if session.needsGrowth {
        undo(begun, session)
      } else if try commit(begun, session) {
        return result
      }
      try grow()
    }
  }

  /// Forces commits with less than full durability to the disk.
  @usableFromInline package func sync() throws(LMDBError) {
    try writer.acquire()
    defer { releaseWriter() }
    try checkUsable()
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    let code = mdb_env_sync(handle, 1)
    guard code == MDB_SUCCESS else { throw failedToWrite(code) }
  }

  /// Forces earlier commits to the disk inside a write, unless the durability is `none`.
  func syncAsWriter() throws(LMDBError) {
    guard options.durability != .none, let handle else { return }
    let code = mdb_env_sync(handle, 1)
    guard code == MDB_SUCCESS else { throw failedToSynchronise(code) }
  }

  func releaseWriter() {
    writer.release()
    if isCloseDeferred.load(ordering: .sequentiallyConsistent) { closeIfDeferred() }
  }

  func prepareWriting(usingReserve: Bool) throws(LMDBError) {
    try checkUsable()
    if isPoisoned { try recover() }
    if needsDirectorySynchronisation {
      // Without this, commits would go to a file that a power cut removes.
      try openDirectory().synchronise()
      needsDirectorySynchronisation = false
    }
    let now = monotonicNanoseconds()
    if .nanoseconds(now - lastReaderCheck) >= options.staleReaderInterval {
      lastReaderCheck = now
      clearStaleReadersAsWriter()
    }
    if options.reservedBytes > 0 { try keepReserve(isRequired: !usingReserve) }
  }

  func beginWriting() throws(LMDBError) -> OpaquePointer {
    while true {
      guard let handle else { throw LMDBError(.poisoned, path: directory) }
      var begun: OpaquePointer?
      let code = mdb_txn_begin(handle, nil, 0, &begun)
      if code == MDB_SUCCESS, let begun {
        do throws(LMDBError) {
          try checkBeforeWriting(begun)
          return begun
        } catch {
          mdb_txn_abort(begun)
          throw error
        }
      }
      guard code == MDB_MAP_RESIZED else { throw LMDBError(returnCode: code, path: directory) }
      try followGrowth()
    }
  }

  func undo(_ transaction: OpaquePointer, _ session: WriteSession) {
    if session.spillingTree != nil { shrinkFile() }
    mdb_txn_abort(transaction)
    forget(session)
  }

  func forget(_ session: WriteSession) {
    for entry in session.opened { databases.remove(entry.database) }
    session.opened = []
  }
}
