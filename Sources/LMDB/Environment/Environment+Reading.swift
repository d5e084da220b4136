import CLMDB

extension Environment {
  /// Runs `body` with a view of the newest commit.
  ///
  /// A read takes no lock. It waits only while the map moves, at most for `growthTimeout` of the options. The
  /// transaction and its bytes are invalid after `body`.
  ///
  /// - Throws: `readersFull`, `environmentClosed`, `forkedProcess`, `poisoned`, and any error of `body`;
  ///   `damaged` if a page was damaged, even if `body` has suppressed that error.
  @inlinable
  package func read<R>(_ body: (ReadTransaction) throws -> R) throws -> R {
    var transaction = try beginRead()
    defer { endScoped(&transaction) }
    let result = try body(transaction)
    if transaction.damagedPage != 0 { throw transaction.damageError() }
    return result
  }

  /// Renews an ended read with the newest commit.
  func beginAgain(_ transaction: ReadTransaction) throws(LMDBError) {
    while true {
      guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
      let index = try readers.claim()
      let slot = readers.slots + index
      let code = renew(slot)
      if code == MDB_SUCCESS, let handle = slot.pointee.handle {
        return transaction.resume(handle, slot: index)
      }
      release(index)
      try recoverReading(code)
    }
  }

  /// Begins a read that is not bound to a scope. The caller must call ``endRead(_:)``.
  @usableFromInline package func beginRead() throws(LMDBError) -> ReadTransaction {
    while true {
      guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
      let index = try readers.claim()
      let slot = readers.slots + index
      let code = renew(slot)
      if code == MDB_SUCCESS, let handle = slot.pointee.handle {
        if let spare = slot.pointee.spare {
          slot.pointee.spare = nil
          spare.resume(handle)
          return spare
        }
        return ReadTransaction(environment: self, handle: handle, slot: index)
      }
      release(index)
      try recoverReading(code)
    }
  }

  /// Ends a read. Ending it twice has no effect.
  @usableFromInline package func endRead(_ transaction: ReadTransaction) {
    guard transaction.environment === self, transaction.handle != nil, isSameProcess else { return }
    transaction.handle = nil
    if let opened = transaction.openedPages { opened.endUse() }
    giveBack(transaction.slot)
  }

  @usableFromInline
  func endScoped(_ transaction: inout ReadTransaction) {
    guard transaction.handle != nil, isSameProcess else { return }
    transaction.handle = nil
    if let opened = transaction.openedPages { opened.endUse() }
    let index = transaction.slot
    // An object to which another reference exists must not be reused for the next reader.
    if index < readers.pooled, isKnownUniquelyReferenced(&transaction) {
      readers.slots[index].spare = transaction
    }
    giveBack(index)
  }

  @inline(__always)
  private func giveBack(_ index: Int) {
    rest(index)
    release(index)
  }

  /// Begins the transaction of a claimed slot.
  @inline(__always)
  func renew(_ slot: UnsafeMutablePointer<ReaderPool.Slot>) -> Int32 {
    if let pooled = slot.pointee.handle { return mdb_txn_renew(pooled) }
    var begun: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun)
    if code == MDB_SUCCESS { slot.pointee.handle = begun }
    return code
  }

  /// Ends the transaction of a claimed slot.
  @inline(__always)
  func rest(_ index: Int) {
    let slot = readers.slots + index
    guard let handle = slot.pointee.handle else { return }
    if index < readers.pooled {
      mdb_txn_reset(handle)
    } else {
      mdb_txn_abort(handle)
      slot.pointee.handle = nil
    }
  }

  @inline(__always)
  func release(_ index: Int) {
    readers.release(index)
    if readers.isGateShut { noteEndAtGate() }
  }

  @inline(never)
  private func noteEndAtGate() {
    readers.wakeAll()
    closeIfDeferred()
  }

  /// Removes the cause of a failed begin so that it can be repeated, or throws its error.
  @inline(never)
  private func recoverReading(_ code: Int32) throws(LMDBError) {
    switch code {
    case MDB_MAP_RESIZED: try adoptForeignGrowth()
    case MDB_PANIC: throw LMDBError(.poisoned, path: directory, returnCode: code)
    case MDB_READERS_FULL:
      guard clearStaleReaders() > 0 else { throw LMDBError(returnCode: code, path: directory) }
    default: throw LMDBError(readerCode: code, path: directory)
    }
  }
}
