#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Puts a compacted copy in the place of a store that this process has closed.
public enum StoreExchange {
  /// Renames the data file of `copy` over that of `directory`, and removes `copy`.
  ///
  /// The rename is atomic: a crash leaves the old file or the new one, each whole. Other processes are
  /// kept out by LMDB's own lock; one that has the store open makes it fail.
  ///
  /// - Parameters:
  ///   - directory: the store's directory.
  ///   - copy: that of the copy.
  ///   - transaction: the number of the commit that the store must still be at; nil where nobody else can
  ///     have written to it since it was copied.
  /// - Throws: ``LMDBError`` of code `inUse` where another process has the store open, or has written
  ///   to it since that commit.
  public static func replaceData(
    of directory: String,
    byCopyIn copy: String,
    ifNewest transaction: UInt64? = nil
  ) throws(LMDBError) {
    let lock = open(directory + "/lock.mdb", O_RDWR | O_CLOEXEC)
    guard lock >= 0 else { throw failure(directory) }
    defer { close(lock) }
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = 0
    range.l_len = 1
    guard fcntl(lock, F_SETLK, &range) == 0 else {
      throw LMDBError(.inUse, path: directory, returnCode: errno)
    }
    if let transaction { try checkNewest(transaction, directory) }
    guard rename(copy + "/data.mdb", directory + "/data.mdb") == 0 else { throw failure(directory) }
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 {
      fsync(descriptor)
      close(descriptor)
    }
  }

  /// Nobody can open the store meanwhile: its lock is held.
  private static func checkNewest(_ transaction: UInt64, _ path: String) throws(LMDBError) {
    let directory = try StoreDirectory(path: path, creating: false)
    let file = try directory.open(StoreDirectory.dataName, O_RDONLY)
    defer { close(file) }
    guard try MetaPages.read(file, path: path).newer.transaction == transaction else {
      throw LMDBError(
        .inUse,
        "Another process has written to the store since it was copied.",
        path: path
      )
    }
  }

  private static func failure(_ path: String) -> LMDBError {
    LMDBError(
      .systemCall,
      "The compacted copy could not take the place of the store.",
      path: path,
      detail: nil,
      returnCode: errno
    )
  }
}
