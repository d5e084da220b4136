import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The result of a check for commits of an environment.
enum CommitLook {
  /// The commit that a reader sees now, whether a later one is about to become visible, and whether the file
  /// has lost its name.
  case seen(UInt64, isBehind: Bool, isRemoved: Bool)
  /// The store has a commit whose state readers cannot see before the map has grown.
  case grown(UInt64)
  /// The commit cannot be determined now. Check again later.
  case later
  /// The environment is closed or belongs to another process.
  case ended
}

extension Environment {
  /// Reads the number of the newest commit without waiting for the map or for a slot.
  ///
  /// A commit is in the file before it is in the lock table, from which readers take their commit's number.
  /// The number in the file alone would be reported too early.
  ///
  /// - Parameter path: The expected path of the data file, or `nil` if it is unknown.
  func lookAtCommits(_ path: String?) -> CommitLook {
    guard isSameProcess, !isClosed else { return .ended }
    guard let index = readers.claimAtOnce() else { return .later }
    defer { release(index) }
    // While the slot is claimed, neither the handle nor the map disappears.
    guard !readers.isGateShut, let handle else { return .later }
    let slot = readers.slots + index
    var seen: UInt64?
    let code = renew(slot)
    if code == MDB_SUCCESS, let transaction = slot.pointee.handle {
      seen = UInt64(mdb_txn_id(transaction))
      rest(index)
    }
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    let written = UInt64(info.me_last_txnid)
    if code == MDB_MAP_RESIZED { return .grown(written) }
    guard let seen else { return .later }
    return .seen(seen, isBehind: seen < written, isRemoved: isFileGone(handle, path))
  }

  /// Whether the open data file has no name any more, or another file has its former name.
  private func isFileGone(_ handle: OpaquePointer, _ path: String?) -> Bool {
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    var open = stat()
    guard fstat(descriptor, &open) == 0 else { return false }
    if open.st_nlink == 0 { return true }
    guard let path else { return false }
    var named = stat()
    if stat(path, &named) != 0 { return errno == ENOENT || errno == ENOTDIR }
    return FileIdentity(named) != FileIdentity(open)
  }

  /// Returns the absolute path of the data file, which stays valid if the process changes its working
  /// directory, but not if something is renamed. Returns `nil` if the path now leads to another file, or if
  /// the file is on another machine, whose writes the system does not report.
  func absoluteDataPath() -> String? {
    guard let resolved = realpath(directory, nil) else { return nil }
    // SAFETY: the system allocated the string for the caller.
    defer { free(resolved) }
    let path = String(cString: resolved)
    guard
      let place = try? StoreDirectory(
        path: path,
        creating: false,
        allowsGroup: options.allowsGroupWritableDirectory
      ), place.identity == identity,
      FileSystem.remoteName(place.descriptor) == nil
    else { return nil }
    return path + "/" + StoreDirectory.dataName
  }
}

extension ReaderPool {
  /// Claims a slot without waiting, or returns `nil` if no slot is free or readers cannot begin.
  ///
  /// The gate may have been shut in the meantime. The caller must check it, and release the slot immediately
  /// if it is shut.
  func claimAtOnce() -> Int? {
    guard !isGateShut else { return nil }
    let index = takeSlot(currentThread())
    return index < 0 ? nil : index
  }
}
