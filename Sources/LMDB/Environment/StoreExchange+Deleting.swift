#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension StoreExchange {
  /// Deletes a store with its directory while no process has it open.
  ///
  /// The directory first loses its name, in one step: after a crash the store is there, or it is deleted and
  /// its remains are removed at the next opening of a store in its place.
  ///
  /// - Returns: false where there is no such directory.
  /// - Throws: `inUse` where a process has the store open; `unsafePath`, `permissionDenied`; `systemCall`
  ///   where the directory has directories in it, which no store has. The store is then as it was, but for
  ///   `inputOutput`: then some of its files are removed.
  @discardableResult
  package static func delete(_ directory: String, allowsGroup: Bool = false) throws(LMDBError) -> Bool {
    var info = stat()
    if lstat(directory, &info) != 0, errno == ENOENT { return false }
    let place = try StoreDirectory(path: directory, creating: false, allowsGroup: allowsGroup)
    let path = place.path
    try StoreLock.holding(path, allowsGroup: allowsGroup) { (lock: HeldLock) throws(LMDBError) in
      let place = try StoreDirectory(path: path, creating: false, allowsGroup: allowsGroup)
      try checkHasFilesOnly(place)
      try lock.spoilTable()
      do throws(LMDBError) {
        try ScratchDirectory.take(place).removeAll()
        return
      } catch {
        // The directory cannot be renamed: its parent may be another user's, or it may be a mount.
        let failure = StoreDirectory.removeFiles(in: place.descriptor)
        guard failure == 0, rmdir(path) == 0 || errno == ENOENT else {
          throw LMDBError(
            .inputOutput,
            "The directory of the store cannot be removed.",
            path: path,
            returnCode: failure == 0 ? errno : failure
          )
        }
      }
    }
    return true
  }

  private static func checkHasFilesOnly(_ place: borrowing StoreDirectory) throws(LMDBError) {
    for name in StoreDirectory.names(in: place.descriptor) {
      var info = stat()
      guard fstatat(place.descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      guard info.st_mode & S_IFMT != S_IFDIR else {
        throw LMDBError(
          .systemCall,
          "The directory of the store has a directory in it and is not removed.",
          path: place.path + "/" + name
        )
      }
    }
  }
}
