#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Puts another file in the place of a store's data file, or takes the store away, while no process has it open.
package enum StoreExchange {
  /// Puts the data file of a copy in the place of that of a store.
  ///
  /// The rename is atomic: a crash leaves the old file or the new one, each whole.
  ///
  /// - Throws: `outcomeUnknown` where the file was replaced and the directory could not be synchronised, so that a power
  ///   cut may bring the old one back; other errors leave the store as it was.
  static func replaceData(
    of directory: borrowing StoreDirectory,
    byCopyIn copy: String,
    _ lock: HeldLock
  ) throws(LMDBError) {
    let name = "/" + StoreDirectory.dataName
    try directory.share(dataOf: StoreDirectory(path: copy, creating: false, allowsGroup: false))
    try lock.spoilTable()
    guard rename(copy + name, directory.path + name) == 0 else {
      throw LMDBError(
        .systemCall,
        "The compacted copy could not take the place of the store.",
        path: directory.path,
        returnCode: errno
      )
    }
    try directory.synchroniseNewNames()
  }

  /// Gives a directory a name that does not exist yet, on the disk when this returns.
  ///
  /// - Throws: `alreadyExists` where it does; `outcomeUnknown` where it has the name and the device may not.
  package static func publish(directory: String, as new: String) throws(LMDBError) {
    let opened = try StoreDirectory(path: directory, creating: false, allowsGroup: false)
    let code = FileSystem.renameExclusively(directory, to: new)
    guard code == 0 else { throw LMDBError(returnCode: code, path: new, doing: "rename") }
    try opened.synchroniseName(new)
  }
}
