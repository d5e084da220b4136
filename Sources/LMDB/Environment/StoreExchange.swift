#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Replaces a store's data file or deletes the store while no process has it open.
package enum StoreExchange {
  /// Replaces the data file of a store by the data file of a copy.
  ///
  /// The rename is atomic: a crash leaves the old file or the new one, each intact.
  ///
  /// - Throws: `outcomeUnknown` if the file was replaced but the directory could not be synchronised, so that
  ///   a power cut may restore the old file. Other errors leave the store unchanged.
  static func replaceData(
    of directory: borrowing StoreDirectory,
    byCopyIn copy: String,
    _ lock: ExclusiveLock
  ) throws(LMDBError) {
    let name = "/" + StoreDirectory.dataName
    try directory.share(dataOf: StoreDirectory(path: copy, creating: false, allowsGroup: false))
    try lock.spoilTable()
    guard rename(copy + name, directory.path + name) == 0 else {
      throw LMDBError(
        .systemCall,
        "The compacted copy could not replace the store.",
        path: directory.path,
        returnCode: errno
      )
    }
    try directory.synchroniseNewNames()
  }

  /// Renames a directory to a name that does not exist yet. The name is on the disk when this method returns.
  ///
  /// - Throws: `alreadyExists` if the name exists; `outcomeUnknown` if the directory has the name but the
  ///   name may not be on the device.
  package static func publish(directory: String, as new: String) throws(LMDBError) {
    let opened = try StoreDirectory(path: directory, creating: false, allowsGroup: false)
    let code = FileSystem.renameExclusively(directory, to: new)
    guard code == 0 else { throw LMDBError(returnCode: code, path: new, doing: "rename") }
    try opened.synchroniseName(new)
  }
}
