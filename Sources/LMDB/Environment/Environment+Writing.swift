import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Environment {
  /// Begins a write transaction, runs `body` and commits, all on the calling thread.
  ///
  /// One writer at a time runs in this process. When the map is too small the transaction is undone, the
  /// map is enlarged once this process's readers have ended, and `body` runs **again**: it must change
  /// nothing outside the store that cannot be repeated. When `body` throws, nothing is kept.
  ///
  /// - Parameter usingReserve: whether the write may use the last `reservedBytes` of the options; meant for
  ///   deleting when the disk is full.
  /// - Throws: `nestedWrite` on a thread that is writing already; `diskFull`; `readersBlockGrowth`;
  ///   `mapFull` at the maximum size; `inputOutput` when the device failed and nothing was committed;
  ///   `poisoned` when the store could not be reopened after that; `readOnly`, `environmentClosed`,
  ///   `forkedProcess`; and whatever `body` throws.
  public func write<R>(usingReserve: Bool = false, _ body: (WriteTransaction) throws -> R) throws -> R {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !options.isReadOnly else { throw LMDBError(.readOnly, path: directory) }
    try writer.acquire()
    defer { releaseWriter() }
    try prepareWriting(usingReserve: usingReserve)
    while true {
      let session = WriteSession(thread: currentThread())
      let begun = try beginWriting()
      let transaction = WriteTransaction(environment: self, handle: begun, session: session)
      let outcome = Result { try body(transaction) }
      // `body` may have kept the object.
      transaction.handle = nil
      if !session.needsGrowth {
        switch outcome {
        case .failure(let error):
          undo(begun, session)
          throw session.firstFailure == 0 ? error : writeFailure(session.firstFailure, replacing: error)
        case .success(let result):
          if try commit(begun, session) { return result }
        }
      } else {
        undo(begun, session)
      }
      try grow()
    }
  }

  /// Forces what was committed with less than full durability to the disk.
  public func sync() throws(LMDBError) {
    try writer.acquire()
    defer { releaseWriter() }
    try checkUsable()
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    let code = mdb_env_sync(handle, 1)
    guard code == MDB_SUCCESS else { throw writeFailure(code) }
  }

  func releaseWriter() {
    writer.release()
    if isCloseDeferred.load(ordering: .relaxed) { closeIfDeferred() }
  }

  private func prepareWriting(usingReserve: Bool) throws(LMDBError) {
    try checkUsable()
    let now = ContinuousClock.now
    if now - lastReaderCheck >= .seconds(30) {
      lastReaderCheck = now
      clearStaleReaders()
    }
  }

  private func beginWriting() throws(LMDBError) -> OpaquePointer {
    while true {
      guard let handle else { throw LMDBError(.poisoned, path: directory) }
      var begun: OpaquePointer?
      let code = mdb_txn_begin(handle, nil, 0, &begun)
      if code == MDB_SUCCESS, let begun { return begun }
      guard code == MDB_MAP_RESIZED else { throw LMDBError(returnCode: code, path: directory) }
      try followGrowth()
    }
  }

  private func undo(_ transaction: OpaquePointer, _ session: WriteSession) {
    mdb_txn_abort(transaction)
    forget(session)
  }

  private func forget(_ session: WriteSession) {
    for entry in session.opened { databases.remove(entry.database) }
    session.opened = []
  }

  /// Commits; false means that the map was too small and the write has to run again.
  private func commit(_ transaction: OpaquePointer, _ session: WriteSession) throws(LMDBError) -> Bool {
    if !session.dropped.isEmpty { return try commitDropping(transaction, session) }
    let code = mdb_txn_commit(transaction)
    return try finish(code, session)
  }

  private func commitDropping(
    _ transaction: OpaquePointer,
    _ session: WriteSession
  ) throws(LMDBError) -> Bool {
    // Dropping closes handles that readers of older snapshots may be using.
    var isDone = false
    var hasCommitted = false
    do throws(LMDBError) {
      try withoutReaders { () throws(LMDBError) in
        hasCommitted = true
        var code: Int32 = 0
        for entry in session.dropped where code == MDB_SUCCESS {
          code = mdb_drop(transaction, databases.entries[Int(entry.database.slot)].handle, 1)
        }
        if code == MDB_SUCCESS {
          code = mdb_txn_commit(transaction)
        } else {
          mdb_txn_abort(transaction)
        }
        if code == MDB_SUCCESS {
          for entry in session.dropped { databases.remove(entry.database) }
          session.opened.removeAll { entry in session.dropped.contains { $0.database == entry.database } }
        } else if let handle {
          databases.reopenAll(handle)
        }
        isDone = try finish(code, session)
      }
    } catch {
      if !hasCommitted { undo(transaction, session) }
      throw error
    }
    return isDone
  }

  private func finish(_ code: Int32, _ session: WriteSession) throws(LMDBError) -> Bool {
    guard code == MDB_SUCCESS else {
      forget(session)
      if code == MDB_MAP_FULL { return false }
      throw writeFailure(session.firstFailure == 0 ? code : session.firstFailure)
    }
    for entry in session.opened { databases.publish(entry.database, named: entry.name) }
    return true
  }

  private func writeFailure(_ code: Int32, replacing error: any Error) -> any Error {
    error is LMDBError ? writeFailure(code) : error
  }

  func writeFailure(_ code: Int32) -> LMDBError {
    LMDBError(returnCode: code, path: directory)
  }
}
