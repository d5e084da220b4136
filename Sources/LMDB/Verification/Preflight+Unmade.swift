import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Handles data files of a process that ended, or found the disk full, before it had created a store.
extension Preflight {
  /// Whether a data file without a manifest never was a store: neither of its two meta pages has a commit,
  /// and at least one is missing or cut off. LMDB writes them when it creates the file, and a store has them
  /// on the disk before its first commit.
  ///
  /// A file that LMDB has not written is not recognized, because its first bytes differ. A file that is cut
  /// off within its first meta page is too short to identify, and must contain only zeros.
  static func wasNeverMade(_ descriptor: Int32, path: String) throws(LMDBError) -> Bool {
    let systemPage = max(Int(sysconf(Int32(_SC_PAGESIZE))), 512)
    var missing = 0
    let fileSize = try sizeOfFile(descriptor, path: path)
    for index in 0..<2 {
      var bytes = [UInt8](repeating: 0, count: MetaPage.size)
      let count = bytes.withUnsafeMutableBytes { readFully(descriptor, $0, at: index * systemPage) }
      guard let count else { throw LMDBError.system("pread", path: path) }
      if bytes[..<count].allSatisfy({ $0 == 0 }) {
        missing += 1
        continue
      }
      // The first commit writes the second page. If the file ends within that page, there was no commit.
      if index == 1, fileSize < 2 * systemPage,
        count < bytes.count || isFirst(bytes, index: 1, pageSize: systemPage, path)
      {
        missing += 1
        continue
      }
      guard count == bytes.count, isFirst(bytes, index: UInt64(index), pageSize: systemPage, path) else {
        return false
      }
    }
    return missing > 0
  }

  /// Whether these are the bytes of a meta page before the first commit.
  private static func isFirst(_ bytes: [UInt8], index: UInt64, pageSize: Int, _ path: String) -> Bool {
    bytes.withUnsafeBytes { buffer in
      guard let page = try? MetaPage(buffer, index: index, path: path) else { return false }
      return page.transaction == 0 && page.pageSize == pageSize && page.main.entries == 0
    }
  }

  /// Empties a data file that never was a store, so that LMDB creates a store in it.
  ///
  /// Another process may currently be creating the store. It holds LMDB's lock while it does so, and this
  /// method waits for the lock.
  ///
  /// - Returns: `false` if the file is now something else.
  static func emptyUnmade(_ directory: borrowing StoreDirectory) throws(LMDBError) -> Bool {
    let lock = try directory.openLock()
    defer { systemClose(lock) }
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_len = 1
    var attempts = 0
    while fcntl(lock, F_SETLK, &range) != 0 {
      attempts += 1
      guard attempts < 2000 else { throw LMDBError(.inUse, path: directory.path) }
      usleep(1000)
    }
    let file = try directory.open(StoreDirectory.dataName, O_RDWR)
    defer { systemClose(file) }
    guard try directory.file(StoreDirectory.manifestName) == nil,
      try wasNeverMade(file, path: directory.path)
    else { return false }
    guard ftruncate(file, 0) == 0 else { throw LMDBError.system("ftruncate", path: directory.path) }
    return true
  }
}
