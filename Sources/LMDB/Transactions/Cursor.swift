import CLMDB

/// A place in a database, moving in the order of the keys' bytes.
///
/// It stands nowhere at first and after a call that returned false; `key` and `value` are empty then, and
/// after the end of its transaction, where every call throws `transactionEnded`. The bytes are in LMDB's
/// pages: valid until the next change in the same transaction.
public final class Cursor {
  private let transaction: Transaction
  private let writer: WriteTransaction?
  private let handle: OpaquePointer
  private var currentKey = MDB_val()
  private var currentValue = MDB_val()
  private var place = Place.nowhere

  /// Where the cursor is when it does not stand on an entry; LMDB itself would stay on the last one.
  private enum Place { case nowhere, entry, beforeFirst, afterLast }

  init(transaction: Transaction, handle: OpaquePointer) {
    self.transaction = transaction
    self.handle = handle
    writer = transaction as? WriteTransaction
  }

  deinit {
    // LMDB frees the cursors of a write transaction when that ends, and none of a read.
    if writer == nil || transaction.handle != nil { mdb_cursor_close(handle) }
  }

  /// The key of the current entry; empty where there is none.
  public var key: UnsafeRawBufferPointer {
    guard transaction.handle != nil else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: currentKey.mv_data, count: currentKey.mv_size)
  }

  /// The value of the current entry; empty where there is none.
  public var value: UnsafeRawBufferPointer {
    guard transaction.handle != nil else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: currentValue.mv_data, count: currentValue.mv_size)
  }

  /// Moves to the entry with the least key.
  public func first() throws(LMDBError) -> Bool { try move(MDB_FIRST, otherwise: .beforeFirst) }

  /// Moves to the entry with the greatest key.
  public func last() throws(LMDBError) -> Bool { try move(MDB_LAST, otherwise: .afterLast) }

  /// Moves to the following entry; from nowhere, or from before the first, to the first.
  public func next() throws(LMDBError) -> Bool {
    switch place {
    case .entry: try move(MDB_NEXT, otherwise: .afterLast)
    case .nowhere, .beforeFirst: try move(MDB_FIRST, otherwise: .afterLast)
    case .afterLast: try stay()
    }
  }

  /// Moves to the preceding entry; from nowhere, or from after the last, to the last.
  public func previous() throws(LMDBError) -> Bool {
    switch place {
    case .entry: try move(MDB_PREV, otherwise: .beforeFirst)
    case .nowhere, .afterLast: try move(MDB_LAST, otherwise: .beforeFirst)
    case .beforeFirst: try stay()
    }
  }

  /// Moves to the first entry whose key is equal or greater.
  public func seek(atOrAfter key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    // Every key is at or after the empty one, which LMDB itself refuses.
    if key.isEmpty { return try first() }
    guard key.count <= 511 else {
      throw LMDBError(.keyLengthInvalid, detail: "\(key.count) bytes")
    }
    return try move(MDB_SET_RANGE, to: key, otherwise: .afterLast)
  }

  /// Moves to the entry with this key.
  public func seek(exactly key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard key.count > 0, key.count <= 511 else {
      throw LMDBError(.keyLengthInvalid, detail: "\(key.count) bytes")
    }
    return try move(MDB_SET_KEY, to: key, otherwise: .nowhere)
  }

  /// Replaces the value of the current entry by bytes that are not in LMDB's pages.
  ///
  /// - Throws: `notFound` where the cursor stands nowhere; `readOnly` in a read.
  public func put(_ value: UnsafeRawBufferPointer) throws(LMDBError) {
    try checkWritable()
    try WriteTransaction.checkLength(ofValue: value.count)
    // LMDB moves the page's bytes before it reads the key, so the key must not be one of them.
    let code = withUnsafeTemporaryAllocation(byteCount: currentKey.mv_size, alignment: 1) { copy in
      copy.copyMemory(from: UnsafeRawBufferPointer(start: currentKey.mv_data, count: currentKey.mv_size))
      var key = WriteTransaction.value(UnsafeRawBufferPointer(copy))
      var data = WriteTransaction.value(value)
      return mdb_cursor_put(handle, &key, &data, UInt32(MDB_CURRENT))
    }
    guard code == MDB_SUCCESS else { throw transaction.failure(code) }
    writer?.noteChange()
    guard try move(MDB_GET_CURRENT, otherwise: .nowhere) else { throw transaction.failure(MDB_NOTFOUND) }
  }

  /// Deletes the current entry; `next()` then moves to the one that followed it.
  ///
  /// - Throws: `notFound` where the cursor stands nowhere; `readOnly` in a read.
  public func delete() throws(LMDBError) {
    try checkWritable()
    let code = mdb_cursor_del(handle, 0)
    guard code == MDB_SUCCESS else { throw transaction.failure(code) }
    writer?.noteChange()
    clear()
  }

  @inline(__always)
  private func move(
    _ operation: MDB_cursor_op,
    to wanted: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    otherwise: Place
  ) throws(LMDBError) -> Bool {
    guard transaction.handle != nil else { throw transaction.endedError() }
    // Local variables: passing the properties themselves to C would cost a dynamic exclusivity check
    // at each of their uses, two thirds of the time of a scan.
    // SAFETY: LMDB reads the caller's key during the call and replaces the pointer by its own.
    var key = WriteTransaction.value(wanted)
    var value = MDB_val()
    let code = mdb_cursor_get(handle, &key, &value, operation)
    guard code == MDB_SUCCESS else { return try missed(code, otherwise) }
    currentKey = key
    currentValue = value
    place = .entry
    return true
  }

  private func stay() throws(LMDBError) -> Bool {
    guard transaction.handle != nil else { throw transaction.endedError() }
    return false
  }

  @inline(never)
  private func missed(_ code: Int32, _ place: Place) throws(LMDBError) -> Bool {
    self.place = place
    clear()
    if code == MDB_NOTFOUND { return false }
    throw transaction.failure(code)
  }

  private func clear() {
    currentKey = MDB_val()
    currentValue = MDB_val()
  }

  private func checkWritable() throws(LMDBError) {
    guard transaction.handle != nil else { throw transaction.endedError() }
    guard let writer else { throw LMDBError(.readOnly) }
    try writer.checkThread()
    guard currentKey.mv_data != nil else {
      throw LMDBError(.notFound, "The cursor does not stand on an entry.")
    }
  }
}
