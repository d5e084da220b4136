import CLMDB

/// A consistent view of the commit that was the newest one when the read began.
///
/// While the transaction is open, LMDB keeps every page that it can reach, so a long read makes the file
/// grow.
@usableFromInline package final class ReadTransaction: Transaction {
  /// The reader's slot. It changes if ``existingDatabase(named:)`` has waited for the writer.
  @exclusivity(unchecked) private(set) var slot: Int
  // SAFETY: the slots belong to the pool of `environment`, which this object keeps alive.
  /// The slots of the environment's readers.
  let slots: UnsafeMutablePointer<ReaderPool.Slot>

  init(environment: Environment, handle: OpaquePointer, slot: Int) {
    self.slot = slot
    slots = environment.readers.slots
    super.init(environment: environment, handle: handle)
    snapshot = UInt64(mdb_txn_id(handle)) &+ 1
  }

  /// Restarts in a newly claimed slot.
  func resume(_ handle: OpaquePointer, slot: Int) {
    self.slot = slot
    resume(handle)
  }

  /// Begins again with an LMDB transaction that was just renewed.
  @inline(__always)
  func resume(_ handle: OpaquePointer) {
    self.handle = handle
    snapshot = UInt64(mdb_txn_id(handle)) &+ 1
    damagedPage = 0
    // The addresses of opened values may now belong to other values.
    openedValues?.forgetAll()
    if openedPages != nil { useOpenedPagesAgain() }
    if mapEpoch != environment.mapEpoch {
      forgetTrees()
      mapEpoch = environment.mapEpoch
    }
  }

  func existingDatabase(named name: String) throws(LMDBError) -> Database? {
    guard handle != nil else { throw endedError() }
    guard try containsDatabase(named: name) else { return nil }
    if let known = environment.databases.database(named: name), isVisible(known) { return known }
    // A handle that was opened after this snapshot began is not part of it, and opening the handle inside the
    // reader would forbid every other opening until the reader ends. Therefore the reader begins again, which
    // yields the same snapshot unless a commit came in between.
    let (seen, epoch, damage, pages) = (id, mapEpoch, damagedPage, openedPages)
    // The reader ends first: the writer for which it waits may itself wait for all readers to let the map
    // grow.
    environment.endRead(self)
    let opened: Database?
    do throws(LMDBError) {
      opened = try environment.openDatabases([name], create: false)[0]
    } catch {
      try beginAgain(at: seen, epoch, damage, pages)
      throw error
    }
    try beginAgain(at: seen, epoch, damage, pages)
    return opened
  }

  /// - Parameters:
  ///   - epoch: The number of the map. Cursors point into the map, so the read cannot continue in another
  ///     one.
  ///   - damage: The damaged page that the read has found. Its error is thrown at the end of the read.
  ///   - pages: The opened pages, into which cursors also point.
  private func beginAgain(
    at commit: UInt64,
    _ epoch: UInt64,
    _ damage: UInt64,
    _ pages: DecryptedPages?
  ) throws(LMDBError) {
    try environment.beginAgain(self)
    damagedPage = damage
    guard id == commit, mapEpoch == epoch, pages == nil || openedPages === pages else {
      environment.endRead(self)
      throw LMDBError(.incompatible, "Another commit happened meanwhile; begin a new read.")
    }
  }

  private func isVisible(_ database: Database) -> Bool {
    guard let handle, let dbi = try? handleOf(database) else { return false }
    var flags: UInt32 = 0
    return mdb_dbi_flags(handle, dbi, &flags) == MDB_SUCCESS
  }

  private func containsDatabase(named name: String) throws(LMDBError) -> Bool {
    guard let handle else { throw endedError() }
    var name = name
    let code = name.withUTF8 { bytes -> Int32 in
      guard bytes.count > 0, bytes.count <= 511, !bytes.contains(0) else { return MDB_NOTFOUND }
      var key = MDB_val(
        mv_size: bytes.count,
        mv_data: UnsafeMutableRawPointer(mutating: UnsafeRawPointer(bytes.baseAddress))
      )
      var value = MDB_val()
      return mdb_get(handle, Transaction.unnamed, &key, &value)
    }
    if code == MDB_NOTFOUND { return false }
    guard code == MDB_SUCCESS else { throw failure(code) }
    return true
  }
}
