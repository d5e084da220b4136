import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The reserve of disk space for writes that only delete.
extension Environment {
  /// Keeps the configured number of bytes allocated beyond the end of the data file.
  ///
  /// Commits consume the reserve as the file grows, so this method replenishes it. If it cannot, the disk is
  /// full, and the rest is reserved for writes that request it, until deletions have freed as much space
  /// inside the file.
  func keepReserve(isRequired: Bool) throws(LMDBError) {
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    if hasFileSizeLimit, isRequired, try leavesNoReserve() {
      try checkFreePages(insteadOf: EFBIG, doing: "the limit of the size of files")
    }
    let size = try sizeOfFile(descriptor, path: directory)
    guard reservedEnd - size < options.reservedBytes / 2 else { return }
    switch FileSystem.allocate(descriptor, from: size, count: options.reservedBytes) {
    case 0: reservedEnd = size + options.reservedBytes
    // The file system cannot allocate space in advance, so there is no reserve.
    case EOPNOTSUPP, ENOSYS: reservedEnd = Int.max
    case let code:
      if shrinkFileAlone() { return try keepReserve(isRequired: isRequired) }
      if isRequired { try checkFreePages(insteadOf: code, doing: "fallocate") }
    }
  }

  /// Removes the end of the file that no commit uses. A write that failed or was killed has left it.
  ///
  /// LMDB's lock of the writer must be held, by a transaction, since other processes may be writing there.
  ///
  /// - Returns: Whether the file had such an end.
  @discardableResult
  func shrinkFile() -> Bool {
    guard let handle, !isPoisoned else { return false }
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    guard let used = try? usedBytes(), let size = try? sizeOfFile(descriptor, path: directory), size > used,
      ftruncate(descriptor, off_t(used)) == 0
    else { return false }
    // The reserve lay behind this end.
    if reservedEnd != Int.max { reservedEnd = 0 }
    return true
  }

  private func shrinkFileAlone() -> Bool {
    var begun: OpaquePointer?
    guard let handle, mdb_txn_begin(handle, nil, 0, &begun) == MDB_SUCCESS, let begun else { return false }
    defer { mdb_txn_abort(begun) }
    return shrinkFile()
  }

  /// Whether the limit of the file size leaves no room for the reserve beyond the used part of the file. A
  /// failed large write may have made the file longer than its used part.
  private func leavesNoReserve() throws(LMDBError) -> Bool {
    guard let limit = FileSizeLimit.bytes else { return false }
    return UInt64(clamping: try usedBytes() + options.reservedBytes) > limit
  }

  /// - Throws: The error of the attempt to make the reserve, if the file has too few free pages to replace
  ///   it.
  private func checkFreePages(insteadOf code: Int32, doing operation: String) throws(LMDBError) {
    let free = try statistics()
    if free.freePages * free.pageSize < options.reservedBytes {
      throw LMDBError(returnCode: code, path: directory, doing: operation)
    }
  }
}
