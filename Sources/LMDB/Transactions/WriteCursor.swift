import CLMDB

/// Writes many entries of one database. It is faster than individual writes by key, especially in the order
/// of the keys.
///
/// It finds a key near the last one without a search from the root, and fills pages completely with keys
/// beyond all others. It is valid in its transaction. After the end of the transaction, every call throws
/// `transactionEnded`; while a nested transaction is active, every call throws `nestedWrite`.
@usableFromInline package final class WriteCursor {
  private let transaction: WritableTransaction
  private let handle: OpaquePointer
  private let database: Database
  /// Seals the values; `nil` if they are in clear.
  private let seal: SealedTree?
  /// Whether each key so far was greater than all existing keys, so that the next key may be too.
  private var isAppending = true

  init(transaction: WritableTransaction, handle: OpaquePointer, database: Database, seal: SealedTree?) {
    self.transaction = transaction
    self.handle = handle
    self.database = database
    self.seal = seal
  }

  deinit {
    // LMDB frees the cursors of a write transaction when the transaction ends.
    if transaction.handle != nil { mdb_cursor_close(handle) }
  }

  /// Stores a value, and replaces the key's previous value.
  @usableFromInline package func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer)
    throws(LMDBError)
  {
    let code = try store(key, value, 0)
    guard code == MDB_SUCCESS else { throw transaction.failure(code) }
  }

  /// Stores a value unless the key has one. Returns whether the value was stored.
  @usableFromInline package func putIfAbsent(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
  ) throws(LMDBError) -> Bool {
    let code = try store(key, value, UInt32(MDB_NOOVERWRITE))
    if code == MDB_KEYEXIST { return false }
    guard code == MDB_SUCCESS else { throw transaction.failure(code) }
    return true
  }

  /// Stores a value with other first four bytes, and replaces the key's previous value.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The value; at least four bytes.
  ///   - head: The first four bytes, in memory order.
  @usableFromInline package func put(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    beginningWith head: UInt32
  ) throws(LMDBError) {
    let code = try store(key, value, beginningWith: head, 0)
    guard code == MDB_SUCCESS else { throw transaction.failure(code) }
  }

  /// Does the same as the method above unless the key has a value. Returns whether the value was stored.
  @usableFromInline package func putIfAbsent(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    beginningWith head: UInt32
  ) throws(LMDBError) -> Bool {
    let code = try store(key, value, beginningWith: head, UInt32(MDB_NOOVERWRITE))
    if code == MDB_KEYEXIST { return false }
    guard code == MDB_SUCCESS else { throw transaction.failure(code) }
    return true
  }

  /// Returns the value of a key in LMDB's page. The bytes are valid until the next change in the transaction.
  @usableFromInline package func get(_ key: UnsafeRawBufferPointer) throws(LMDBError)
    -> UnsafeRawBufferPointer?
  {
    guard let found = try find(key) else { return nil }
    return try transaction.inClear(found, of: key, database)
  }

  /// Returns the value of a key in the same form as in the file: sealed, if the tree is sealed.
  private func find(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> UnsafeRawBufferPointer? {
    _ = try transaction.writable()
    var key = try Transaction.value(key: key)
    try transaction.willUse(database, WritableTransaction.bytes(key))
    var value = MDB_val()
    let code = mdb_cursor_get(handle, &key, &value, MDB_SET)
    if code == MDB_NOTFOUND { return nil }
    guard code == MDB_SUCCESS else { throw transaction.failure(code) }
    return UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
  }

  /// Deletes a key. Returns whether the key had a value.
  @usableFromInline package func delete(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    if let check = transaction.session.check {
      try check.willUse(database, key, andPagesAround: true, in: transaction)
    }
    guard try find(key) != nil else { return false }
    let note = transaction.willChange(database, WritableTransaction.value(key))
    let code = mdb_cursor_del(handle, 0)
    guard code == MDB_SUCCESS else { throw transaction.failure(code) }
    transaction.didChange(note)
    isAppending = false
    return true
  }

  @inline(__always)
  private func store(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    _ flags: UInt32
  ) throws(LMDBError) -> Int32 {
    if let seal, seal.isSealed(key) { return try storeSealed(key, value, beginningWith: nil, flags, seal) }
    var source = WritableTransaction.value(value).mv_data
    return try store(key, count: value.count, &source, flags)
  }

  @inline(__always)
  private func store(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    beginningWith head: UInt32,
    _ flags: UInt32
  ) throws(LMDBError) -> Int32 {
    if let seal, seal.isSealed(key) { return try storeSealed(key, value, beginningWith: head, flags, seal) }
    var reserved: UnsafeMutableRawPointer?
    let code = try store(key, count: value.count, &reserved, flags | UInt32(MDB_RESERVE))
    if code == MDB_SUCCESS, let place = reserved, let source = value.baseAddress, value.count >= 4 {
      // SAFETY: LMDB has made room for as many bytes as the value has.
      place.copyMemory(from: source, byteCount: value.count)
      place.storeBytes(of: head, as: UInt32.self)
    }
    return code
  }

  /// Seals a value directly into LMDB's page.
  @inline(never)
  private func storeSealed(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    beginningWith head: UInt32?,
    _ flags: UInt32,
    _ seal: SealedTree
  ) throws(LMDBError) -> Int32 {
    let count = value.count + seal.overhead
    var reserved: UnsafeMutableRawPointer?
    let code = try store(key, count: count, &reserved, flags | UInt32(MDB_RESERVE))
    guard code == MDB_SUCCESS else { return code }
    // SAFETY: LMDB has made room for `count` bytes.
    let sealed = UnsafeMutableRawBufferPointer(start: reserved, count: count)
    guard let head, value.count >= 4 else {
      seal.seal(value, of: key, into: sealed)
      return code
    }
    withUnsafeTemporaryAllocation(byteCount: value.count, alignment: 16) { whole in
      whole.copyMemory(from: value)
      whole.storeBytes(of: head, as: UInt32.self)
      seal.seal(UnsafeRawBufferPointer(whole), of: key, into: sealed)
    }
    return code
  }

  /// - Parameter place: The bytes of the value. With `MDB_RESERVE`, it becomes LMDB's memory for them. It is
  ///   a separate word, because LMDB writes the two words of an `MDB_val` one by one, and reading both at
  ///   once immediately afterwards would wait for all earlier writes to memory.
  @inline(__always)
  private func store(
    _ key: UnsafeRawBufferPointer,
    count: Int,
    _ place: inout UnsafeMutableRawPointer?,
    _ flags: UInt32
  ) throws(LMDBError) -> Int32 {
    _ = try transaction.writable()
    var key = try Transaction.value(key: key)
    try WritableTransaction.checkLength(ofValue: count)
    if let check = transaction.session.check {
      if isAppending { try check.willAppend(database, in: transaction) }
      try check.willUse(database, WritableTransaction.bytes(key), storing: count, in: transaction)
    }
    let note = transaction.willChange(database, key)
    if isAppending {
      var appended = MDB_val(mv_size: count, mv_data: place)
      let code = mdb_cursor_put(
        handle,
        &key,
        &appended,
        flags & ~UInt32(MDB_NOOVERWRITE) | UInt32(MDB_APPEND)
      )
      if code == MDB_SUCCESS {
        transaction.didChange(note)
        place = appended.mv_data
        return code
      }
      guard code == MDB_KEYEXIST else { return code }
      isAppending = false
    }
    var data = MDB_val(mv_size: count, mv_data: place)
    let code = mdb_cursor_put(handle, &key, &data, flags)
    if code == MDB_SUCCESS { transaction.didChange(note) }
    place = data.mv_data
    return code
  }
}

extension WritableTransaction {
  /// Opens a cursor for many writes to a database.
  @usableFromInline package func writeCursor(_ database: Database) throws(LMDBError) -> WriteCursor {
    let handle = try writable()
    let dbi = try handleOf(database)
    let seal = try sealedTree(database)
    var cursor: OpaquePointer?
    let code = mdb_cursor_open(handle, dbi, &cursor)
    guard code == MDB_SUCCESS, let cursor else { throw failure(code) }
    return WriteCursor(transaction: self, handle: cursor, database: database, seal: seal)
  }
}
