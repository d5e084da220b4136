#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension StoreExchange {
  /// Exchanges the data files of a store and of a copy in the same file system.
  ///
  /// The exchange is one step: a crash leaves both files either unchanged or exchanged, each intact. Nothing
  /// is read, so a damaged store can be exchanged too. LMDB's own lock keeps other processes out in the
  /// meantime.
  ///
  /// - Parameters:
  ///   - commit: The number of the newest commit that the store must still have, or `nil` for any.
  ///   - allowsGroup: See ``EnvironmentOptions/allowsGroupWritableDirectory``.
  /// - Returns: Whether the files were exchanged. `false` if the store has another newest commit.
  /// - Throws: ``LMDBError`` of code `inUse` if a process has the store open, or `systemCall` if the file
  ///   system cannot exchange files; both files are then unchanged. `outcomeUnknown` if the files were
  ///   exchanged but a directory could not be synchronised, so that a power cut may undo the exchange as a
  ///   whole.
  package static func swapData(
    of directory: String,
    withCopyIn copy: String,
    ifAt commit: UInt64? = nil,
    allowsGroup: Bool = false
  ) throws(LMDBError) -> Bool {
    try StoreLock.holding(directory, allowsGroup: allowsGroup) {
      (lock: ExclusiveLock) throws(LMDBError) -> Bool in
      if let commit,
        try StoreVerifier.newestCommit(of: directory, allowsGroup: allowsGroup).transaction != commit
      {
        return false
      }
      let name = "/" + StoreDirectory.dataName
      // Opened before the exchange, so that nothing has changed if this fails.
      let own = try StoreDirectory(path: directory, creating: false, allowsGroup: allowsGroup)
      let other = try StoreDirectory(path: copy, creating: false, allowsGroup: allowsGroup)
      try own.share(dataOf: other)
      try lock.spoilTable()
      let code = FileSystem.exchange(copy + name, directory + name)
      if code == ENOENT, access(directory + name, F_OK) != 0 {
        // The store has lost its data file, so the copy is moved instead of exchanged.
        guard rename(copy + name, directory + name) == 0 else {
          throw LMDBError.system("rename", path: directory)
        }
      } else if code != 0 {
        throw LMDBError(returnCode: code, path: directory, doing: "renameat2")
      }
      try own.synchroniseNewNames()
      try other.synchroniseNewNames()
      return true
    }
  }
}
