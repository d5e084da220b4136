#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension StoreExchange {
  /// Lets the data files of a store and of a copy in the same file system change places.
  ///
  /// One step: a crash leaves both files as they were or exchanged, each whole. Nothing is read, so that a
  /// damaged store can be exchanged too. Other processes are kept out by LMDB's own lock meanwhile.
  ///
  /// - Parameters:
  ///   - commit: the number of the newest commit that the store must still have; nil for any.
  ///   - allowsGroup: as ``EnvironmentOptions/allowsGroupWritableDirectory``.
  /// - Returns: whether the files were exchanged; false where the store has another commit.
  /// - Throws: ``LMDBError`` of code `inUse` where a process has the store open, `systemCall` where
  ///   the file system cannot exchange files; both files are then as they were. `outcomeUnknown` where they were
  ///   exchanged and a directory could not be synchronised, so that a power cut may undo it as a whole.
  package static func swapData(
    of directory: String,
    withCopyIn copy: String,
    ifAt commit: UInt64? = nil,
    allowsGroup: Bool = false
  ) throws(LMDBError) -> Bool {
    try StoreLock.holding(directory, allowsGroup: allowsGroup) { (lock: HeldLock) throws(LMDBError) -> Bool in
      if let commit,
        try StoreVerifier.newestCommit(of: directory, allowsGroup: allowsGroup).transaction != commit
      {
        return false
      }
      let name = "/" + StoreDirectory.dataName
      // Before the exchange, so that nothing has changed where they cannot be opened.
      let own = try StoreDirectory(path: directory, creating: false, allowsGroup: allowsGroup)
      let other = try StoreDirectory(path: copy, creating: false, allowsGroup: allowsGroup)
      try own.share(dataOf: other)
      try lock.spoilTable()
      let code = FileSystem.exchange(copy + name, directory + name)
      if code == ENOENT, access(directory + name, F_OK) != 0 {
        // The store has lost its file: there is nothing to exchange it with.
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
