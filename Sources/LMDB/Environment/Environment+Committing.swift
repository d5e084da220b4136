import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Environment {
  /// Commits. Returns `false` if the map was too small, so that the write must run again.
  func commit(_ transaction: OpaquePointer, _ session: WriteSession) throws(LMDBError) -> Bool {
    if session.isChanged {
      var code = session.removeSpillingTree(transaction)
      if code == MDB_SUCCESS, options.durability != .none || hasRecord(transaction) {
        sequence += 1
        code = writeToken(transaction)
      }
      if code == MDB_SUCCESS { code = noteTime(transaction) }
      if code == MDB_SUCCESS, session.seal != nil {
        do throws(LMDBError) { code = try writeSeal(transaction, session) } catch {
          undo(transaction, session)
          throw error
        }
      }
      guard code == MDB_SUCCESS else {
        undo(transaction, session)
        if code == MDB_MAP_FULL { return false }
        throw failedToWrite(session.firstFailure == 0 ? code : session.firstFailure)
      }
    }
    if !session.dropped.isEmpty { return try commitDropping(transaction, session) }
    let isCommitted = try finish(mdb_txn_commit(transaction), session)
    if isCommitted, session.isChanged { growAhead() }
    return isCommitted
  }

  /// Synchronises the file after a commit, on systems where LMDB's synchronisation does not reach the disk.
  ///
  /// - Returns: `MDB_PANIC` after a failure, since the commit is in the file and may be lost.
  private func synchroniseCommit() -> Int32 {
    guard options.durability == .full, let handle else { return MDB_SUCCESS }
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    return systemSynchronise(descriptor) == 0 ? MDB_SUCCESS : MDB_PANIC
  }

  /// Whether the store has a record of its commits. A store with durability `none` need not have one, but an
  /// existing record must stay correct. Another process may create it at any time.
  private func hasRecord(_ transaction: OpaquePointer) -> Bool {
    if keepsRecord { return true }
    let commit = UInt64(mdb_txn_id(transaction))
    // If the commit before this one is the last commit of this environment, no process has created a record
    // in the meantime.
    if lastWithoutRecord > 0, commit - 1 == lastWithoutRecord {
      nextWithoutRecord = commit
      return false
    }
    let code = CommitToken.key.withUnsafeBytes { name in
      var (key, value) = (WritableTransaction.value(name), MDB_val())
      return mdb_get(transaction, Transaction.unnamed, &key, &value)
    }
    keepsRecord = code == MDB_SUCCESS
    nextWithoutRecord = code == MDB_NOTFOUND ? commit : 0
    return code == MDB_SUCCESS
  }

  private func writeToken(_ transaction: OpaquePointer) -> Int32 {
    CommitToken.key.withUnsafeBytes { name in
      var key = WritableTransaction.value(name)
      var old = MDB_val()
      let found = mdb_get(transaction, Transaction.unnamed, &key, &old)
      guard found == MDB_SUCCESS || found == MDB_NOTFOUND else { return found }
      let previous =
        found == MDB_SUCCESS ? UnsafeRawBufferPointer(start: old.mv_data, count: old.mv_size) : nil
      let record = token.record(after: previous, sequence: sequence)
      return CommitToken.numbered(record, commit: UInt64(mdb_txn_id(transaction))).withUnsafeBytes { record in
        var value = WritableTransaction.value(record)
        return mdb_put(transaction, Transaction.unnamed, &key, &value, 0)
      }
    }
  }

  private func commitDropping(
    _ transaction: OpaquePointer,
    _ session: WriteSession
  ) throws(LMDBError) -> Bool {
    // Dropping closes handles that readers of older snapshots may be using.
    var code: Int32?
    do throws(LMDBError) {
      try withoutReaders { () throws(LMDBError) in
        code = dropAndCommit(transaction, session)
      }
    } catch {
      if code == nil { undo(transaction, session) }
      throw error
    }
    return try finish(code ?? MDB_PANIC, session)
  }

  private func dropAndCommit(_ transaction: OpaquePointer, _ session: WriteSession) -> Int32 {
    var code: Int32 = MDB_SUCCESS
    for entry in session.dropped where code == MDB_SUCCESS {
      code = mdb_drop(transaction, databases.entries[Int(entry.database.slot)].value.handle, 1)
    }
    if code == MDB_SUCCESS {
      code = mdb_txn_commit(transaction)
    } else {
      mdb_txn_abort(transaction)
    }
    // LMDB has closed the handles of databases that still exist.
    if code != MDB_SUCCESS { reopenDatabases() }
    return code
  }

  /// Opens the handles of the databases again. If this fails, a later write reopens the whole environment.
  private func reopenDatabases() {
    guard let handle else { return }
    do throws(LMDBError) { try databases.reopenAll(handle) } catch { poison() }
  }

  private func finish(_ code: Int32, _ session: WriteSession) throws(LMDBError) -> Bool {
    var code = code
    if code == MDB_SUCCESS, !isCommitSynchronised, session.isChanged { code = synchroniseCommit() }
    if code == MDB_SUCCESS {
      publish(session)
      return true
    }
    if code == MDB_MAP_FULL {
      forget(session)
      return false
    }
    let cause = session.firstFailure == 0 ? code : session.firstFailure
    guard isDeviceFailure(cause) else {
      forget(session)
      throw failedToWrite(cause)
    }
    // LMDB refuses everything after a failed write of a meta page. The commit may then be in the file, but
    // whether it is on the disk is unknown until a synchronisation succeeds.
    let mayBeWritten = isPanicking || (code == MDB_PANIC && !isCommitSynchronised)
    poison()
    do throws(LMDBError) {
      try recover()
    } catch {
      forget(session)
      throw mayBeWritten ? outcomeUnknown(error) : error
    }
    var isWritten = false
    do throws(LMDBError) {
      if session.isChanged, mayBeWritten { isWritten = try isCommitted() }
    } catch {
      forget(session)
      throw outcomeUnknown(error)
    }
    guard isWritten else {
      forget(session)
      throw LMDBError(.inputOutput, path: directory, returnCode: cause)
    }
    publish(session)
    reopenDatabases()
    return true
  }

  private func outcomeUnknown(_ cause: LMDBError) -> LMDBError {
    LMDBError(.outcomeUnknown, path: directory, detail: "\(cause)", returnCode: cause.returnCode)
  }

  private func publish(_ session: WriteSession) {
    if session.isChanged {
      if needsManifest { writeManifest() }
      if let seal = session.seal { commitSeal = seal }
      noteCommitForReaders()
      // If a nested transaction was rolled back, possibly nothing has changed. LMDB then commits nothing, and
      // the next commit, which any process may make, gets the same number.
      lastWithoutRecord = session.hasRolledBack ? 0 : nextWithoutRecord
    }
    for entry in session.opened { databases.publish(entry.database, named: entry.name) }
    for entry in session.dropped { databases.remove(entry.database) }
    noteFreedPages()
  }

  /// Writes the manifest, which shows that a store exists. If this fails, the next opening writes it, because
  /// the store then has a commit.
  private func writeManifest() {
    needsManifest = false
    try? Manifest.write(openDirectory(), isSynchronised: options.durability != .none)
  }

  /// Whether the last commit succeeded. The reader does not come from the pool, because a close may have shut
  /// the gate.
  private func isCommitted() throws(LMDBError) -> Bool {
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    var begun: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun)
    guard code == MDB_SUCCESS, let reader = begun else { throw LMDBError(returnCode: code, path: directory) }
    defer { mdb_txn_abort(reader) }
    return CommitToken.key.withUnsafeBytes { name in
      var key = WritableTransaction.value(name)
      var value = MDB_val()
      guard mdb_get(reader, Transaction.unnamed, &key, &value) == MDB_SUCCESS else { return false }
      let record = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
      return token.isPresent(in: record, sequence: sequence)
    }
  }
}
