import CLMDB

/// The state of an environment at one moment.
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
  /// The number of reader slots that were ever taken at a time.
  @usableFromInline package var usedReaders: Int
  /// The number of pages that later commits can use again.
  @usableFromInline package var freePages: Int
  /// The number of commits that the oldest reader of any process is behind; 0 without readers.
  @usableFromInline package var oldestReaderLag: Int
  /// The size of the data file in bytes.
  @usableFromInline package var fileSize: Int
}

extension Environment {
  /// Reads the statistics of the environment; takes a reader slot meanwhile.
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

  /// Whether the store has a lock table: whether a process has opened it for writing since it was copied.
  @usableFromInline package func hasLockTable() throws(LMDBError) -> Bool {
    try openDirectory().file(StoreDirectory.lockName) != nil
  }

  private func dataFileSize(_ handle: OpaquePointer) throws(LMDBError) -> Int {
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    return try sizeOfFile(descriptor, path: directory)
  }

  /// The pages that commits have freed.
  ///
  /// - Parameter commit: those of later commits count; 0 for all.
  func freePages(_ transaction: OpaquePointer, after commit: UInt64 = 0) throws(LMDBError) -> Int {
    var cursor: OpaquePointer?
    let opened = mdb_cursor_open(transaction, Transaction.freeList, &cursor)
    guard opened == MDB_SUCCESS else { throw LMDBError(returnCode: opened, path: directory) }
    defer { mdb_cursor_close(cursor) }
    var total = 0
    // The keys are the numbers of the commits, in their order.
    var first = UInt(truncatingIfNeeded: commit &+ 1)
    var key = MDB_val()
    var value = MDB_val()
    var code = withUnsafeMutableBytes(of: &first) { bytes in
      key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      return mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
    }
    while code == MDB_SUCCESS {
      defer { code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT) }
      // SAFETY: the record begins with its own count, as long as it has at least those bytes.
      guard let data = value.mv_data, value.mv_size >= MemoryLayout<Int>.size else { continue }
      // A damaged count does not go beyond the page numbers that follow it.
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
          // SAFETY: the context is the list above, alive during this call and used by it alone.
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

/// Reads the lines of `mdb_reader_list`: process, thread and transaction, the last `-` where idle.
private struct ReaderList {
  var oldest: UInt64

  mutating func add(_ line: String) {
    let words = line.split { $0 == " " || $0 == "\n" }
    guard words.count == 3, let transaction = UInt64(words[2]) else { return }
    oldest = min(oldest, transaction)
  }
}
