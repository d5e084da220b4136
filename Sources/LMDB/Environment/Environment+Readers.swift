import CLMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Environment {
  /// Returns the readers of all processes that have an open transaction, oldest state first.
  ///
  /// The result may include readers of processes that died without ending them, until ``clearStaleReaders()``
  /// removes them.
  package func activeReaders() throws(LMDBError) -> [ActiveReader] {
    if isReadWithoutLocks { return [] }
    let own = try beginRead()
    defer { endRead(own) }
    return try activeReaders(seenBy: own)
  }

  /// Returns the reader of the oldest state if it prevents at least a quarter of the file, and at least 1
  /// MiB, from being reused. Returns `nil` if the reader was already reported while it held more than half of
  /// that amount.
  ///
  /// It searches only if a commit of this process has found a reason: the file has grown by a quarter, or ten
  /// seconds have passed. Must be called outside writes.
  package func longReader() throws(LMDBError) -> LongReader? {
    guard isReaderLookDue, readerLook.exchange(false, ordering: .relaxed), !isClosed else { return nil }
    clearStaleReaders()
    try checkFreeList()
    let own = try beginRead()
    defer { endRead(own) }
    guard let handle, let transaction = own.handle else { throw LMDBError(.environmentClosed) }
    guard let oldest = try activeReaders(seenBy: own).first(where: { $0.transaction < own.id }) else {
      return nil
    }
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    let held = try freePages(transaction, after: oldest.transaction)
    guard held >= ReaderWatch.smallestGrowth, held * 4 > info.me_last_pgno else { return nil }
    guard reportedReaders.withLock({ $0.reports(oldest, holding: held) }) else { return nil }
    var sizes = MDB_stat()
    mdb_env_stat(handle, &sizes)
    let pageSize = Int(sizes.ms_psize)
    return LongReader(
      reader: oldest,
      heldBytes: held * pageSize,
      fileBytes: (info.me_last_pgno + 1) * pageSize
    )
  }

  /// Whether ``longReader()`` has a reason to search. Costs one load of a number.
  @inline(__always)
  @usableFromInline package var isReaderLookDue: Bool { readerLook.load(ordering: .relaxed) }

  /// Stores the time of a commit at intervals. The caller holds the writer lock.
  func noteTime(_ transaction: OpaquePointer) -> Int32 {
    guard watch.notesTime(at: monotonicNanoseconds()) else { return MDB_SUCCESS }
    return CommitTimes.key.withUnsafeBytes { name in
      var key = WritableTransaction.value(name)
      var times = CommitTimes()
      let found = times.read(transaction)
      guard found == MDB_SUCCESS || found == MDB_NOTFOUND else { return found }
      times.add(UInt64(mdb_txn_id(transaction)), at: secondsSince1970())
      return times.bytes.withUnsafeBytes { record in
        var value = WritableTransaction.value(record)
        return mdb_put(transaction, Transaction.unnamed, &key, &value, 0)
      }
    }
  }

  /// Records a completed commit. The writer lock must be held.
  func noteCommitForReaders() {
    guard let handle else { return }
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    if watch.looks(afterCommitTo: info.me_last_pgno, at: monotonicNanoseconds()) {
      readerLook.store(true, ordering: .relaxed)
    }
  }

  private func activeReaders(seenBy own: ReadTransaction) throws(LMDBError) -> [ActiveReader] {
    guard let handle, let transaction = own.handle else { throw LMDBError(.environmentClosed) }
    var times = CommitTimes()
    let found = times.read(transaction)
    guard found == MDB_SUCCESS || found == MDB_NOTFOUND else {
      throw LMDBError(returnCode: found, path: directory)
    }
    let newest = own.id
    var readers = Self.readers(of: handle)
    let process = getpid()
    // One of them is the reader of this call.
    if let index = readers.firstIndex(where: { $0.process == process && $0.transaction == newest }) {
      readers.remove(at: index)
    }
    let now = secondsSince1970()
    for index in readers.indices {
      let reader = readers[index]
      readers[index].commitsBehind = Int(clamping: newest - min(reader.transaction, newest))
      if let time = times.seconds(after: reader.transaction) {
        readers[index].age = CommitTimes.nanoseconds(from: time, to: now)
      }
      guard reader.process == process, let note = self.readers.note(of: reader) else { continue }
      readers[index].origin = note.origin
      readers[index].thread = note.thread
      readers[index].age = max(0, monotonicNanoseconds() - note.begun)
    }
    return readers.sorted { ($0.transaction, $0.process) < ($1.transaction, $1.process) }
  }

  private static func readers(of handle: OpaquePointer) -> [ActiveReader] {
    var readers: [ActiveReader] = []
    _ = withUnsafeMutablePointer(to: &readers) { readers in
      mdb_reader_list(
        handle,
        { line, context in
          // SAFETY: the context is the array above, which is alive during this call and not used elsewhere.
          guard let line, let context else { return 0 }
          let readers = context.assumingMemoryBound(to: [ActiveReader].self)
          if let reader = ActiveReader(line: String(cString: line)) { readers.pointee.append(reader) }
          return 0
        },
        readers
      )
    }
    return readers
  }
}

extension ActiveReader {
  /// Parses a line of `mdb_reader_list`: process, thread and transaction. The transaction of an idle reader
  /// is `-`.
  init?(line: String) {
    let words = line.split { $0 == " " || $0 == "\n" }
    guard words.count == 3, let process = Int32(words[0]), let transaction = UInt64(words[2]) else {
      return nil
    }
    self.init(process: process, thread: String(words[1]), transaction: transaction, commitsBehind: 0)
  }
}

extension CommitTimes {
  /// Returns the time between two times in nanoseconds, limited to the maximum of `Int64`.
  static func nanoseconds(from time: Int64, to now: Int64) -> Int64 {
    let (seconds, isTooLong) = now.subtractingReportingOverflow(time)
    let (nanoseconds, isTooLarge) = max(0, seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLong || isTooLarge ? .max : nanoseconds
  }

  /// Reads the record that a transaction sees, and returns LMDB's code.
  fileprivate mutating func read(_ transaction: OpaquePointer) -> Int32 {
    Self.key.withUnsafeBytes { name in
      var key = WritableTransaction.value(name)
      var value = MDB_val()
      let code = mdb_get(transaction, Transaction.unnamed, &key, &value)
      if code == MDB_SUCCESS {
        self = CommitTimes(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
      }
      return code
    }
  }
}
