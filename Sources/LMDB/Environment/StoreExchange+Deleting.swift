#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension StoreExchange {
  /// Deletes a store with its directory while no process has it open.
  ///
  /// The directory first loses its name, in one step. After a crash, either the store exists, or it is
  /// deleted and its remains are removed when a store is next opened at the same path.
  ///
  /// - Returns: `false` if the directory does not exist.
  /// - Throws: `inUse` if a process has the store open; `unsafePath`, `permissionDenied`; `systemCall` if the
  ///   directory contains directories, which no store does. The store is then unchanged. `inputOutput` if
  ///   some of its files were removed and others could not be.
  @discardableResult
  package static func delete(_ directory: String, allowsGroup: Bool = false) throws(LMDBError) -> Bool {
    var info = stat()
    if lstat(directory, &info) != 0, errno == ENOENT { return false }
    let place = try StoreDirectory(path: directory, creating: false, allowsGroup: allowsGroup)
    let path = place.path
    try StoreLock.holding(path, allowsGroup: allowsGroup) { (lock: ExclusiveLock) throws(LMDBError) in
      let place = try StoreDirectory(path: path, creating: false, allowsGroup: allowsGroup)
      try checkHasFilesOnly(place)
      try lock.spoilTable()
      do throws(LMDBError) {
        try ScratchDirectory.take(place).removeAll()
        return
      } catch {
        // The directory cannot be renamed: its parent may belong to another user, or it may be a mount point.
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
          "The store's directory contains another directory and was not removed.",
          path: place.path + "/" + name
        )
      }
    }
  }
}
