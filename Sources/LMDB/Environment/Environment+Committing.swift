import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Environment {
  /// Commits; false means that the map was too small and the write has to run again.
  func commit(_ transaction: OpaquePointer, _ session: WriteSession) throws(LMDBError) -> Bool {
    if session.isChanged, options.durability != .none {
      sequence += 1
      let code = writeToken(transaction)
      guard code == MDB_SUCCESS else {
        undo(transaction, session)
        if code == MDB_MAP_FULL { return false }
        throw failedToWrite(session.firstFailure == 0 ? code : session.firstFailure)
      }
    }
    if !session.dropped.isEmpty { return try commitDropping(transaction, session) }
    return try finish(mdb_txn_commit(transaction), session)
  }

  private func writeToken(_ transaction: OpaquePointer) -> Int32 {
    CommitToken.key.withUnsafeBytes { name in
      var key = WriteTransaction.value(name)
      var old = MDB_val()
      let found = mdb_get(transaction, Transaction.unnamed, &key, &old)
      guard found == MDB_SUCCESS || found == MDB_NOTFOUND else { return found }
      let previous =
        found == MDB_SUCCESS ? UnsafeRawBufferPointer(start: old.mv_data, count: old.mv_size) : nil
      return token.record(after: previous, sequence: sequence).withUnsafeBytes { record in
        var value = WriteTransaction.value(record)
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
    // LMDB has closed the handles of what still exists.
    if code != MDB_SUCCESS, let handle { databases.reopenAll(handle) }
    return code
  }

  private func finish(_ code: Int32, _ session: WriteSession) throws(LMDBError) -> Bool {
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
    // Whether the commit is in the store is unknown until the store has been read again.
    poison()
    do throws(LMDBError) {
      try recover()
    } catch {
      forget(session)
      throw error
    }
    guard session.isChanged, try isCommitted() else {
      forget(session)
      throw LMDBError(.inputOutput, path: directory, returnCode: cause)
    }
    publish(session)
    if let handle { databases.reopenAll(handle) }
    return true
  }

  private func publish(_ session: WriteSession) {
    for entry in session.opened { databases.publish(entry.database, named: entry.name) }
    for entry in session.dropped { databases.remove(entry.database) }
  }

  /// Looks the last commit up; a reader outside of the pool, since a close may have shut the gate.
  private func isCommitted() throws(LMDBError) -> Bool {
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    var begun: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun)
    guard code == MDB_SUCCESS, let reader = begun else { throw LMDBError(returnCode: code, path: directory) }
    defer { mdb_txn_abort(reader) }
    return CommitToken.key.withUnsafeBytes { name in
      var key = WriteTransaction.value(name)
      var value = MDB_val()
      guard mdb_get(reader, Transaction.unnamed, &key, &value) == MDB_SUCCESS else { return false }
      let record = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
      return token.isPresent(in: record, sequence: sequence)
    }
  }
}
