import CLMDB

/// The only write transaction of an environment, or one nested in it. It is valid in the scope of its
/// closure.
@usableFromInline package final class WritableTransaction: Transaction {
  let session: WriteSession
  private var isParent = false

  init(environment: Environment, handle: OpaquePointer, session: WriteSession) {
    self.session = session
    super.init(environment: environment, handle: handle)
  }

  /// Stores a value, and replaces the key's previous value.
  @usableFromInline package func put(
    _ database: Database,
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    let code = try store(database, key, value, 0)
    guard code == MDB_SUCCESS else { throw failure(code) }
  }

  /// Stores a value unless the key has one. Returns whether the value was stored.
  @usableFromInline package func putIfAbsent(
    _ database: Database,
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
  ) throws(LMDBError) -> Bool {
    let code = try store(database, key, value, UInt32(MDB_NOOVERWRITE))
    if code == MDB_KEYEXIST { return false }
    guard code == MDB_SUCCESS else { throw failure(code) }
    return true
  }

  /// Stores a value whose key is greater than all other keys, which fills pages completely. Falls back to
  /// ``put(_:_:_:)`` if the key is not greater.
  @usableFromInline package func append(
    _ database: Database,
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    _ = try writable()
    if let check = session.check { try check.willAppend(database, in: self) }
    let code = try store(database, key, value, UInt32(MDB_APPEND))
    if code == MDB_KEYEXIST { return try put(database, key, value) }
    guard code == MDB_SUCCESS else { throw failure(code) }
  }

  /// Stores a value of `count` bytes that `fill` writes directly into LMDB's page. The initial content is
  /// undefined.
  @usableFromInline package func reserve(
    _ database: Database,
    _ key: UnsafeRawBufferPointer,
    count: Int,
    _ fill: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(LMDBError) {
    let handle = try writable()
    let dbi = try handleOf(database)
    if let tree = try sealedTree(database), tree.isSealed(key) {
      let value = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 0), alignment: 16)
      defer { value.deallocate() }
      fill(value)
      return try put(database, key, UnsafeRawBufferPointer(value))
    }
    var key = try Transaction.value(key: key)
    try WritableTransaction.checkLength(ofValue: count)
    var value = MDB_val(mv_size: count, mv_data: nil)
    if let check = session.check { try check.willUse(database, Self.bytes(key), storing: count, in: self) }
    let note = willChange(database, key)
    let code = mdb_put(handle, dbi, &key, &value, UInt32(MDB_RESERVE))
    guard code == MDB_SUCCESS else { throw failure(code) }
    didChange(note)
    fill(UnsafeMutableRawBufferPointer(start: value.mv_data, count: count))
  }

  /// Deletes a key. Returns whether the key had a value.
  @usableFromInline package func delete(_ database: Database, _ key: UnsafeRawBufferPointer) throws(LMDBError)
    -> Bool
  {
    let handle = try writable()
    let dbi = try handleOf(database)
    var key = try Transaction.value(key: key)
    if let check = session.check {
      try check.willUse(database, Self.bytes(key), andPagesAround: true, in: self)
    }
    let note = willChange(database, key)
    let code = mdb_del(handle, dbi, &key, nil)
    if code == MDB_NOTFOUND { return false }
    guard code == MDB_SUCCESS else { throw failure(code) }
    didChange(note)
    return true
  }

  /// Deletes all entries of a database.
  @usableFromInline package func removeAll(_ database: Database) throws(LMDBError) {
    let handle = try writable()
    if let check = session.check { try check.willRemoveAll(database, in: self) }
    let code = mdb_drop(handle, try handleOf(database), 0)
    guard code == MDB_SUCCESS else { throw failure(code) }
    session.isChanged = true
    session.noteTree(database)
    session.openedValues?.didChange()
    session.log?.noteRemovalOfAll(database)
  }

  /// Forces earlier commits to the disk, unless the store's durability is `none`.
  ///
  /// - Throws: `inputOutput`. The transaction can then only be rolled back.
  @usableFromInline package func synchroniseEarlierCommits() throws(LMDBError) {
    try environment.syncAsWriter()
  }

  /// Runs a nested transaction. It is committed into this transaction when `body` returns, and rolled back if
  /// `body` throws.
  ///
  /// In the meantime, this transaction and its cursors throw `nestedWrite`. A nested transaction costs 2 MiB
  /// of address space, so it is cheap for a group of changes and expensive for each single entry.
  @usableFromInline package func nested<R>(_ body: (WritableTransaction) throws -> R) throws -> R {
    let parent = try writable()
    var child: OpaquePointer?
    let begun = mdb_txn_begin(mdb_txn_env(parent), parent, 0, &child)
    guard begun == MDB_SUCCESS, let child else { throw failure(begun) }
    let transaction = WritableTransaction(environment: environment, handle: child, session: session)
    let opened = session.opened.count
    let dropped = session.dropped
    let logged = session.log?.entries.count ?? 0
    let spillingTree = session.spillingTree
    handle = nil
    isParent = true
    defer {
      handle = parent
      isParent = false
    }
    do {
      let result = try body(transaction)
      guard !session.needsGrowth else { throw LMDBError(.mapFull) }
      transaction.handle = nil
      let code = mdb_txn_commit(child)
      guard code == MDB_SUCCESS else { throw failure(code) }
      return result
    } catch {
      session.hasRolledBack = true
      if transaction.handle != nil {
        transaction.handle = nil
        mdb_txn_abort(child)
      }
      for entry in session.opened[opened...] { environment.databases.remove(entry.database) }
      session.opened.removeSubrange(opened...)
      session.dropped = dropped
      // LMDB closes the handles that the nested transaction has opened, and gives their numbers to others.
      session.spillingTree = spillingTree
      session.log?.truncate(to: logged)
      throw error
    }
  }

  /// Whether the transaction has changed anything, so that it creates a commit.
  @usableFromInline package var isChanged: Bool { session.isChanged }

  // MARK: Shared parts

  /// The proof of a call of ``willChange(_:_:)``, so that every change is recorded beforehand.
  struct ChangeNote {
    fileprivate init() {}
  }

  /// Records a key that is about to be stored or deleted. It is recorded beforehand because its bytes may be
  /// in a page that the change moves.
  @inline(__always)
  func willChange(_ database: Database, _ key: MDB_val) -> ChangeNote {
    session.noteTree(database)
    if let log = session.log {
      log.note(database, UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size))
    }
    return ChangeNote()
  }

  @inline(__always)
  func didChange(_ note: ChangeNote) {
    session.isChanged = true
    if let values = session.openedValues { values.didChange() }
  }

  func checkThread() throws(LMDBError) {
    guard session.thread == currentThread() else {
      throw LMDBError(.incompatible, "A write transaction must stay on the thread that began it.")
    }
  }

  func writable() throws(LMDBError) -> OpaquePointer {
    guard let handle else { throw endedError() }
    try checkThread()
    return handle
  }

  static func value(_ bytes: UnsafeRawBufferPointer) -> MDB_val {
    // SAFETY: LMDB only reads through the pointer, during the call.
    MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  @inline(__always)
  static func bytes(_ value: MDB_val) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
  }

  override func willUse(_ database: Database, _ key: UnsafeRawBufferPointer) throws(LMDBError) {
    if let check = session.check { try check.willUse(database, key, in: self) }
  }

  @inline(__always)
  static func checkLength(ofValue count: Int) throws(LMDBError) {
    guard count >= 0, count < 0xFFFF_FFFF else {
      throw LMDBError(.keyLengthInvalid, detail: "a value of \(count) bytes")
    }
  }

  override func endedError() -> LMDBError {
    isParent
      ? LMDBError(.nestedWrite, "A nested transaction is active.")
      : LMDBError(.transactionEnded)
  }

  override func failure(_ code: Int32) -> LMDBError {
    if code == MDB_MAP_FULL { session.needsGrowth = true }
    if session.firstFailure == 0, WritableTransaction.isFatal(code) { session.firstFailure = code }
    return super.failure(code)
  }

  /// Whether LMDB's transaction is unusable after this code.
  private static func isFatal(_ code: Int32) -> Bool {
    switch code {
    case MDB_PANIC, MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_PAGE_FULL, MDB_CURSOR_FULL, MDB_TXN_FULL: true
    default: code > 0 && code != 22 /* EINVAL */
    }
  }

  @inline(__always)
  private func store(
    _ database: Database,
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    _ flags: UInt32
  ) throws(LMDBError) -> Int32 {
    let handle = try writable()
    let dbi = try handleOf(database)
    if let tree = try sealedTree(database), tree.isSealed(key) {
      return try storeSealed(database, dbi, key, value, flags, tree)
    }
    return try store(handle, dbi, database, key, value, flags)
  }

  /// Stores a value unchanged.
  @inline(__always)
  func store(
    _ handle: OpaquePointer,
    _ dbi: MDB_dbi,
    _ database: Database,
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    _ flags: UInt32
  ) throws(LMDBError) -> Int32 {
    var key = try Transaction.value(key: key)
    try WritableTransaction.checkLength(ofValue: value.count)
    if let check = session.check {
      try check.willUse(database, Self.bytes(key), storing: value.count, in: self)
    }
    var value = WritableTransaction.value(value)
    let note = willChange(database, key)
    let code = mdb_put(handle, dbi, &key, &value, flags)
    if code == MDB_SUCCESS { didChange(note) }
    return code
  }

  /// Stores a value by writing its sealed bytes directly into LMDB's page.
  @inline(never)
  private func storeSealed(
    _ database: Database,
    _ dbi: MDB_dbi,
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    _ flags: UInt32,
    _ tree: SealedTree
  ) throws(LMDBError) -> Int32 {
    var place = try Transaction.value(key: key)
    let count = value.count + tree.overhead
    try WritableTransaction.checkLength(ofValue: count)
    if let check = session.check { try check.willUse(database, Self.bytes(place), storing: count, in: self) }
    let note = willChange(database, place)
    var data = MDB_val(mv_size: count, mv_data: nil)
    guard let handle else { throw endedError() }
    let code = mdb_put(handle, dbi, &place, &data, flags | UInt32(MDB_RESERVE))
    guard code == MDB_SUCCESS else { return code }
    // SAFETY: LMDB has made room for `count` bytes. Neither the key nor the value is in LMDB's pages, which
    // LMDB moves before it reads them: see ``Cursor/put(_:)``.
    tree.seal(value, of: key, into: UnsafeMutableRawBufferPointer(start: data.mv_data, count: count))
    didChange(note)
    return code
  }
}
