import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Checks that the newest state of the file belongs to its newest commit, before LMDB opens the file.
extension Preflight {
  /// Compares the meta pages with the records of the commits to which they lead.
  ///
  /// Restores the lost number of a consistent commit. Either a bit of the number was flipped, or the device
  /// failed while the number was written, LMDB restored the old number, and the process ended before it
  /// reported the outcome. A process that continues after such a failure changes the meta page
  /// (`Environment.recover`).
  ///
  /// - Returns: The meta pages.
  /// - Throws: `damaged` if a meta page leads to the state of another commit, or if a lost number cannot be
  ///   restored because the store is opened read-only.
  static func checkCommits(
    _ descriptor: Int32,
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions
  ) throws(LMDBError) -> MetaPages {
    for _ in 0..<5 where options.verification != .none {
      let metas = try MetaPages.read(descriptor, path: directory.path)
      let finding = metas.findCommits(descriptor)
      if case .right = finding { return metas }
      // Another process may be committing. A finding counts only if nothing has changed in the meantime.
      let now = try MetaPages.read(descriptor, path: directory.path)
      guard now.newer.transaction == metas.newer.transaction,
        now.older.transaction == metas.older.transaction
      else { continue }
      guard case .lostNumber = finding else {
        throw LMDBError(
          .damaged,
          path: directory.path,
          detail: "the meta page of commit \(metas.newer.transaction) refers to a different state"
        )
      }
      // The recovery of the process whose commit failed completes or undoes the commit.
      if !options.isReopening { try giveNumberBack(directory, options) }
      break
    }
    return try MetaPages.read(descriptor, path: directory.path)
  }

  /// Restores the lost number of a commit, unless another process has the store open.
  private static func giveNumberBack(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions
  ) throws(LMDBError) {
    let failure = LMDBError(
      .damaged,
      "The number of the newest commit is damaged. Opening the store for writing repairs it.",
      path: directory.path
    )
    guard !options.isReadOnly else { throw failure }
    let lock = try directory.openLock()
    defer { systemClose(lock) }
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_len = 1
    // A process that has the store open continues with the previous state, and its next commit replaces this
    // one.
    guard fcntl(lock, F_SETLK, &range) == 0 else { return }
    let file = try directory.open(StoreDirectory.dataName, O_RDWR)
    defer { systemClose(file) }
    let metas = try MetaPages.read(file, path: directory.path)
    guard case .lostNumber = metas.findCommits(file) else { return }
    var meta = metas.older
    let page = metas.pages.0.transaction == meta.transaction ? 0 : 1
    meta.transaction = metas.newer.transaction + 1
    do throws(LMDBError) {
      _ = try StructuralWalk(file, meta: meta, fileSize: metas.fileSize, path: directory.path).run(
        .everything
      )
    } catch {
      // LMDB has also restored the old number of the last page.
      meta.lastPage = max(metas.newer.lastPage, UInt64(metas.fileSize / meta.pageSize) - 1)
      _ = try StructuralWalk(file, meta: meta, fileSize: metas.fileSize, path: directory.path).run(
        .everything
      )
    }
    // The last page and the number of the commit are adjacent.
    let bytes = withUnsafeBytes(of: (meta.lastPage.littleEndian, meta.transaction.littleEndian)) {
      [UInt8]($0)
    }
    let written = bytes.withUnsafeBytes {
      pwrite(file, $0.baseAddress, $0.count, off_t(page) * off_t(meta.pageSize) + 136)
    }
    guard written == bytes.count else { throw LMDBError.system("pwrite", path: directory.path) }
    guard systemSynchroniseAll(file) == 0 else { throw LMDBError.system("fsync", path: directory.path) }
  }
}

extension MetaPages {
  /// Makes the meta page of a failed commit, whose number LMDB has withdrawn, lead to the newest state.
  ///
  /// LMDB's lock must be held.
  static func repairFailedCommit(_ descriptor: Int32, path: String) throws(LMDBError) {
    let metas = try MetaPages.read(descriptor, path: path)
    guard case .lostNumber = metas.findCommits(descriptor) else { return }
    let (newer, older) = (metas.newer, metas.older)
    var bytes = [UInt8](repeating: 0, count: MetaPage.size)
    let start = Int(newer.transaction & 1) * newer.pageSize
    guard bytes.withUnsafeMutableBytes({ readFully(descriptor, $0, at: start) }) == bytes.count else {
      throw LMDBError.system("pread", path: path)
    }
    let place = older.transaction & 1
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: place, toByteOffset: 0, as: UInt64.self)
      bytes.storeBytes(of: older.transaction, toByteOffset: 144, as: UInt64.self)
    }
    let written = bytes.withUnsafeBytes { systemWrite(descriptor, $0, at: Int(place) * newer.pageSize) }
    guard written == bytes.count else { throw LMDBError.system("pwrite", path: path) }
  }
}
