import CLMDB

/// The state of an environment when it was read.
@usableFromInline package struct EnvironmentStatistics: Sendable, Hashable {
  /// The size of the map in bytes.
  @usableFromInline package var mapSize: Int
  /// The size of a page in bytes.
  @usableFromInline package var pageSize: Int
  /// The number of the last page in use.
  @usableFromInline package var lastPage: Int
  /// The number of the newest commit.
  @usableFromInline package var lastTransaction: UInt64
  /// The number of reader slots, over all processes.
  @usableFromInline package var maxReaders: Int
  /// The maximum number of reader slots that were in use at the same time.
  @usableFromInline package var usedReaders: Int
  /// The number of pages that later commits can reuse.
  @usableFromInline package var freePages: Int
  /// The number of commits since the state of the oldest reader of any process; 0 without readers.
  @usableFromInline package var oldestReaderLag: Int
  /// The size of the data file in bytes.
  @usableFromInline package var fileSize: Int
}

extension Environment {
  /// Reads the statistics of the environment. Occupies a reader slot in the meantime.
  @usableFromInline package func statistics() throws(LMDBError) -> EnvironmentStatistics {
    try checkFreeList()
    let reader = try beginRead()
    defer { endRead(reader) }
    guard let transaction = reader.handle, let handle else { throw LMDBError(.environmentClosed) }
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    var pages = MDB_stat()
    mdb_env_stat(handle, &pages)
    return EnvironmentStatistics(
      mapSize: info.me_mapsize,
      pageSize: Int(pages.ms_psize),
      lastPage: info.me_last_pgno,
      lastTransaction: UInt64(info.me_last_txnid),
      maxReaders: Int(info.me_maxreaders),
      usedReaders: Int(info.me_numreaders),
      freePages: try freePages(transaction),
      oldestReaderLag: oldestReaderLag(handle, UInt64(info.me_last_txnid), except: reader.id),
      fileSize: try dataFileSize(handle)
    )
  }

  /// Returns whether the store has a lock table, which means that a process has opened it for writing since
  /// it was copied.
  @usableFromInline package func hasLockTable() throws(LMDBError) -> Bool {
    try openDirectory().file(StoreDirectory.lockName) != nil
  }

  private func dataFileSize(_ handle: OpaquePointer) throws(LMDBError) -> Int {
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    return try sizeOfFile(descriptor, path: directory)
  }

  /// Returns the number of pages that commits have freed.
  ///
  /// - Parameter commit: Only pages freed by later commits count. 0 counts all pages.
  func freePages(_ transaction: OpaquePointer, after commit: UInt64 = 0) throws(LMDBError) -> Int {
    var cursor: OpaquePointer?
    let opened = mdb_cursor_open(transaction, Transaction.freeList, &cursor)
    guard opened == MDB_SUCCESS else { throw LMDBError(returnCode: opened, path: directory) }
    defer { mdb_cursor_close(cursor) }
    var total = 0
    // The keys are the numbers of the commits, in ascending order.
    var first = UInt(truncatingIfNeeded: commit &+ 1)
    var key = MDB_val()
    var value = MDB_val()
    var code = withUnsafeMutableBytes(of: &first) { bytes in
      key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      return mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
    }
    while code == MDB_SUCCESS {
      defer { code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT) }
      // SAFETY: the record begins with its count, and the guard has checked that it is long enough for one.
      guard let data = value.mv_data, value.mv_size >= MemoryLayout<Int>.size else { continue }
      // A damaged count must not exceed the number of page numbers that follow it.
      let room = value.mv_size / MemoryLayout<Int>.size - 1
      total += min(max(data.loadUnaligned(as: Int.self), 0), room)
    }
    return total
  }

  private func oldestReaderLag(_ handle: OpaquePointer, _ newest: UInt64, except own: UInt64) -> Int {
    var list = ReaderList(oldest: newest)
    _ = withUnsafeMutablePointer(to: &list) { list in
      mdb_reader_list(
        handle,
        { line, context in
          // SAFETY: the context is the list above, which is alive during this call and not used elsewhere.
          guard let line, let context else { return 0 }
          context.assumingMemoryBound(to: ReaderList.self).pointee.add(String(cString: line))
          return 0
        },
        list
      )
    }
    return Int(newest - min(list.oldest, newest))
  }
}

/// Parses the lines of `mdb_reader_list`: process, thread and transaction. The transaction of an idle reader
/// is `-`.
private struct ReaderList {
  var oldest: UInt64

  mutating func add(_ line: String) {
    let words = line.split { $0 == " " || $0 == "\n" }
    guard words.count == 3, let transaction = UInt64(words[2]) else { return }
    oldest = min(oldest, transaction)
  }
}
