import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Environment {
  /// Runs `body` while no reader of this process is active. The writer lock must be held.
  ///
  /// - Throws: `readersBlockGrowth` if readers do not end in time, or immediately if the calling thread is
  ///   reading, because it would wait for itself.
  func withoutReaders(
    timeout: Duration? = nil,
    _ body: () throws(LMDBError) -> Void
  ) throws(LMDBError) {
    guard !readers.isReading(currentThread()) else {
      throw LMDBError(.readersBlockGrowth, path: directory, detail: "the calling thread is reading")
    }
    readers.shut(ReaderPool.Gate.closed)
    defer { readers.reopen(ReaderPool.Gate.closed) }
    keptReads.endAll()
    guard readers.waitUntilIdle(timeout: timeout ?? options.growthTimeout) else {
      throw LMDBError(.readersBlockGrowth, path: directory, detail: "\(readers.activeCount) readers")
    }
    try body()
  }

  /// Enlarges the map to a size, or to the maximum of the options, before a write that needs it.
  ///
  /// - Throws: `readersBlockGrowth`, `nestedWrite`, `environmentClosed`. The map is then unchanged.
  package func reserveMap(_ size: Int) throws(LMDBError) {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    try writer.acquire()
    defer { releaseWriter() }
    try checkUsable()
    try followGrowth()
    let wanted = min(size, options.maximumMapSize)
    if wanted > mapSize { try resize(to: wanted) }
  }

  /// Enlarges the map before a write that cannot be repeated, so that the map exceeds the file by a number of
  /// bytes.
  ///
  /// - Parameter bytes: The number of bytes. Nothing is done if the map exceeds the file by half of them
  ///   already.
  /// - Throws: The errors of ``reserveMap(_:)``.
  package func reserveMap(beyondFile bytes: Int) throws(LMDBError) {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    try writer.acquire()
    defer { releaseWriter() }
    try checkUsable()
    try followGrowth()
    let used = try usedBytes()
    if mapSize - used >= bytes / 2 { return }
    let wanted = min(used + bytes, options.maximumMapSize)
    if wanted > mapSize { try resize(to: wanted) }
  }

  /// Enlarges the map after `MDB_MAP_FULL`. The writer lock must be held, and its transaction must have
  /// ended.
  func grow() throws(LMDBError) {
    // Freeing the pages that a dead process's reader kept may be enough.
    if clearStaleReadersAsWriter() > 0 { return }
    guard mapSize < options.maximumMapSize else {
      throw LMDBError(.mapFull, path: directory, detail: "\(mapSize) bytes")
    }
    try resize(to: doubledMapSize)
  }

  /// Enlarges the map after a commit if the file fills most of it and there are no readers. A later write
  /// then does not wait for readers.
  ///
  /// The commit has already been made, so nothing can be thrown. If the system refuses the address space, the
  /// map stays as it is. If the store cannot be reopened after that, the failure is reported.
  func growAhead() {
    guard growsAhead, mapSize < options.maximumMapSize, let used = try? usedBytes() else { return }
    guard used > mapSize / 5 * 4, readers.isIdle else { return }
    guard Self.hasAddressSpace(doubledMapSize) else { return growsAhead = false }
    do throws(LMDBError) { try resize(to: doubledMapSize, timeout: .zero) } catch {
      // If a reader began first, the next commit tries again.
      if error.code == .readersBlockGrowth { return }
      growsAhead = false
      guard isPoisoned else { return }
      report(
        LMDBError(
          .poisoned,
          "The system refused a larger map, and the store could not be reopened. Reads fail until a write reopens it.",
          path: directory,
          detail: "\(error)",
          returnCode: error.returnCode
        )
      )
    }
  }

  /// Twice the size of the map, limited to the maximum of the options.
  private var doubledMapSize: Int {
    let (doubled, overflows) = mapSize.multipliedReportingOverflow(by: 2)
    return overflows ? options.maximumMapSize : min(doubled, options.maximumMapSize)
  }

  /// Returns the number of bytes of the file up to the last page that the newest commit uses. A reader must
  /// be active, or the writer lock held.
  ///
  /// - Throws: `damaged` for a number of pages that no store can have. The meta page may come from another
  ///   process, and is only as trustworthy as the disk.
  func usedBytes() throws(LMDBError) -> Int {
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    var statistics = MDB_stat()
    mdb_env_stat(handle, &statistics)
    guard info.me_last_pgno >= 0, info.me_last_pgno < 1 << 40 else {
      throw LMDBError(.damaged, path: directory, detail: "last page \(info.me_last_pgno)")
    }
    return (info.me_last_pgno + 1) * Int(statistics.ms_psize)
  }

  /// Whether the system can map this many bytes. LMDB removes its map before it requests a new one, and the
  /// store must be reopened after a refusal.
  private static func hasAddressSpace(_ size: Int) -> Bool {
    // SAFETY: nothing uses the region, and it is unmapped immediately.
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let region = mmap(nil, size, PROT_NONE, flags, -1, 0), region != MAP_FAILED else { return false }
    munmap(region, size)
    return true
  }

  /// Enlarges the map after another process has enlarged the store, which LMDB reports as `MDB_MAP_RESIZED`.
  func adoptForeignGrowth() throws(LMDBError) {
    if writer.isHeldByCaller { return try followGrowth() }
    try writer.acquire()
    defer { releaseWriter() }
    try checkUsable()
    try followGrowth()
  }

  func followGrowth() throws(LMDBError) {
    let needed = try usedBytes()
    guard needed > mapSize else { return }
    var size = mapSize
    while size < needed { size *= 2 }
    try resize(to: size)
  }

  private func resize(to size: Int, timeout: Duration? = nil) throws(LMDBError) {
    try withoutReaders(timeout: timeout) { () throws(LMDBError) in
      let rounded = EnvironmentHandle.roundedToPages(size)
      forgetMap()
      let code = mdb_env_set_mapsize(handle, rounded)
      guard code == MDB_SUCCESS else {
        // LMDB now has no map, and would read through a null pointer.
        try reopenHandle()
        throw LMDBError(.mapFull, path: directory, returnCode: code)
      }
      // If another process has enlarged the file in the meantime, LMDB maps more than requested.
      if let handle { mapSize = EnvironmentHandle.mapSize(of: handle) }
    }
  }

  /// Frees the reader slots of processes that have died, and returns their number.
  @discardableResult
  package func clearStaleReaders() -> Int {
    guard isSameProcess, let index = try? readers.claim() else { return 0 }
    defer { release(index) }
    return clearStaleReadersAsWriter()
  }

  /// Does the same as ``clearStaleReaders()`` while the writer lock or a claimed slot prevents the handle
  /// from being closed.
  @discardableResult
  func clearStaleReadersAsWriter() -> Int {
    guard let handle else { return 0 }
    var count: Int32 = 0
    mdb_reader_check(handle, &count)
    return Int(count)
  }
}
