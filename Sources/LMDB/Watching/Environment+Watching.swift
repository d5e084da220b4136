import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The result of a check for commits of an environment.
enum CommitLook {
  /// The commit that a reader sees now; whether a later one is about to be seen; whether the file has lost its name.
  case seen(UInt64, isBehind: Bool, isRemoved: Bool)
  /// The store has a commit, of which readers see nothing before the map has grown.
  case grown(UInt64)
  /// Nothing can be said now, but later.
  case later
  /// The environment is closed, or another process's.
  case ended
}

extension Environment {
  /// Reads the number of the newest commit, and never waits: neither for the map, nor for a slot.
  ///
  /// A commit is in the file before it is in the lock table, from which readers take the number of theirs. The
  /// number of the file alone would be reported too early.
  ///
  /// - Parameter path: the expected path of the data file; nil where it is not known.
  func lookAtCommits(_ path: String?) -> CommitLook {
    guard isSameProcess, !isClosed else { return .ended }
    guard let index = readers.claimAtOnce() else { return .later }
    defer { release(index) }
    // While the slot is claimed, neither the handle nor the map goes.
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

  /// Whether the open data file has no name any more, or another file has the name that it had.
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

  /// The path of the data file for as long as nothing is renamed, wherever the process goes; nil where it is another
  /// file's by now, or on another machine, of whose writes the system does not know.
  func absoluteDataPath() -> String? {
    guard let resolved = realpath(directory, nil) else { return nil }
    // SAFETY: a text that the system has allocated for the caller.
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
  /// Takes a slot; nil where none is free or readers cannot begin, instead of waiting.
  ///
  /// The gate may have been shut meanwhile: the claimant checks it, and releases the slot at once then.
  func claimAtOnce() -> Int? {
    guard !isGateShut else { return nil }
    let index = takeSlot(currentThread())
    return index < 0 ? nil : index
  }
}
