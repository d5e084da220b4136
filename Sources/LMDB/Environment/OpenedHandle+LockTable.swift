#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension OpenedHandle {
  /// Reserves space on the disk for LMDB's lock table.
  ///
  /// LMDB makes the file longer without reserving space and writes to it in memory: on a full disk the system
  /// ends a process that does, even one that only reads. The length of the file is LMDB's to change, since it
  /// says how many readers there are to those that share it.
  ///
  /// No environment of this process has the store open: closing the file here drops no lock of LMDB's.
  /// - Throws: `diskFull`; LMDB has not seen the store then.
  static func allocateLockTable(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions
  ) throws(LMDBError) {
    let path = directory.path + "/" + StoreDirectory.lockName
    let size = try directory.file(StoreDirectory.lockName).map { Int($0.st_size) } ?? 0
    let file: Int32
    do throws(LMDBError) { file = try directory.openLock() } catch {
      // LMDB itself reports a directory or a file that cannot be written to.
      if error.code == .diskFull || error.code == .unsafePath { throw error }
      return
    }
    defer { systemClose(file) }
    let code = FileSystem.allocate(file, from: 0, count: max(size, lockTableSize(options)))
    switch code {
    // The process takes the risk that every program of LMDB's does where the file system cannot reserve space.
    case 0, EOPNOTSUPP, ENOSYS, EINVAL: return
    case EIO where FileSystem.isFull(file):
      throw LMDBError(.diskFull, path: path, detail: "fallocate", returnCode: code)
    default: throw LMDBError(returnCode: code, path: path, doing: "fallocate")
    }
  }

  /// At least as many bytes as LMDB's table takes: 64 for each reader, and a head.
  private static func lockTableSize(_ options: EnvironmentOptions) -> Int {
    let readers = Int(UInt32(clamping: max(options.maxReaders, 1)))
    return roundedToPages(readers * 64 + 512)
  }
}
