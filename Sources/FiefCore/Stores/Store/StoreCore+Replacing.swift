import LMDB

extension StoreCore {
  /// Prepares the store for the replacement of its file.
  ///
  /// - Throws: ``FiefError`` of code `nestedWrite` inside a write; `readOnlyStore`.
  func prepareReplacement() throws {
    try checkNoWrite()
    if isReadOnly { throw readOnlyError }
    // The scope in which a handler reads the state of its change ends here, as before a write.
    hub.endScopeForWriting()
  }

  /// Checks that this thread does not write to the store. A write that waits for the gate would deadlock with
  /// a thread inside the gate that waits for its turn.
  func checkNoWrite() throws {
    guard activeWrite != nil else { return }
    throw FiefError(
      .nestedWrite,
      "A store cannot be replaced or deleted inside a write to it: do it after the write.",
      store: name
    )
  }

  /// - Throws: ``FiefError`` of code `encryptionRequired` if a class of the store requires an encrypted
  ///   store.
  func checkTiers(isEncrypted: Bool) throws(FiefError) {
    for table in tables.all {
      try descriptor(named: table.name)?.checkTier(isEncrypted: isEncrypted, store: name)
    }
  }

  /// - Throws: ``FiefError`` of code `storeInUse` inside a read. It is thrown before waiting for a write that
  ///   may wait for this read.
  func checkNotReading() throws {
    do { try environment.checkNotReading() } catch { throw described(error) }
  }

  /// Calls a closure in a turn of the write queue. It runs between writes to several stores, because a copy
  /// cannot contain their rows.
  func inTurn(_ body: () throws -> Void) throws {
    do {
      // A thread that holds one store and waits for another one could cause a deadlock.
      try checkNoOtherWrite()
      try queue().withTurn(isWrite: false) { try body() }
    } catch { throw described(error) }
  }
}
