#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension EnvironmentHandle {
  /// Reserves space on the disk for LMDB's lock table.
  ///
  /// LMDB extends the file without reserving space and writes to it through memory. On a full disk, the
  /// system ends a process that does this, even if the process only reads the store. Only LMDB may change the
  /// length of the file, because the length determines the number of readers for all processes that share the
  /// file.
  ///
  /// No environment of this process may have the store open, because closing the file would release LMDB's
  /// locks.
  ///
  /// - Throws: `diskFull`. LMDB has then not accessed the store.
  static func allocateLockTable(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions
  ) throws(LMDBError) {
    let path = directory.path + "/" + StoreDirectory.lockName
    let size = try directory.file(StoreDirectory.lockName).map { Int($0.st_size) } ?? 0
    let file: Int32
    do throws(LMDBError) { file = try directory.openLock() } catch {
      // LMDB itself reports a directory or a file that is not writable.
      if error.code == .diskFull || error.code == .unsafePath { throw error }
      return
    }
    defer { systemClose(file) }
    let code = FileSystem.allocate(file, from: 0, count: max(size, lockTableSize(options)))
    switch code {
    // If the file system cannot reserve space, the process takes the same risk as every program that uses
    // LMDB.
    case 0, EOPNOTSUPP, ENOSYS, EINVAL: return
    case EIO where FileSystem.isFull(file):
      throw LMDBError(.diskFull, path: path, detail: "fallocate", returnCode: code)
    default: throw LMDBError(returnCode: code, path: path, doing: "fallocate")
    }
  }

  /// Returns at least the size of LMDB's table in bytes: 64 for each reader, and a header.
  private static func lockTableSize(_ options: EnvironmentOptions) -> Int {
    let readers = Int(UInt32(clamping: max(options.maxReaders, 1)))
    return roundedToPages(readers * 64 + 512)
  }
}
