import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Environment {
  /// Copies the newest commit into a new directory, without the pages that are not in use.
  ///
  /// The copy appears under its name complete, verified and on the disk, or not at all. It is a long
  /// read: pages that commits free meanwhile are kept until it ends.
  /// - Parameter destination: a path that does not exist, in a directory that does.
  /// - Throws: `alreadyExists`; `damaged` when the copy does not verify; `diskFull`, `inputOutput`; `outcomeUnknown` where
  ///   the copy has its name and the device may not.
  package func copy(to destination: String) throws(LMDBError) {
    try checkUsable()
    try makeCopy(destination) { (partial: String) throws(LMDBError) in try fillCopy(partial) }
  }

  /// Makes a directory with a copy that a closure fills, under another name until it is complete.
  func makeCopy(
    _ destination: String,
    _ fill: (String) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    var info = stat()
    guard lstat(destination, &info) != 0 else { throw LMDBError(.alreadyExists, path: destination) }
    var generator = SystemRandomNumberGenerator()
    let suffix = String(UInt64.random(in: 0...UInt64.max, using: &generator), radix: 36)
    let partial = Environment.hidden(destination) + ".partial-" + suffix
    guard mkdir(partial, 0o700) == 0 else { throw LMDBError.system("mkdir", path: partial) }
    do throws(LMDBError) {
      try FileSizeLimit.withoutSignal { () throws(LMDBError) in try fill(partial) }
      // Before it has the name, so that nothing is there where it cannot be opened.
      let opened = try StoreDirectory(path: partial, creating: false, allowsGroup: false)
      let code = FileSystem.renameExclusively(partial, to: destination)
      guard code == 0 else { throw LMDBError(returnCode: code, path: destination, doing: "rename") }
      try opened.synchroniseName(destination)
    } catch {
      // Nothing is there under these names once the copy has its own.
      for name in [StoreDirectory.dataName, StoreDirectory.manifestName, StoreDirectory.lockName] {
        unlink(partial + "/" + name)
      }
      rmdir(partial)
      throw error
    }
  }

  /// The path with a dot before the name: no store has such a name.
  private static func hidden(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path.hasPrefix(".") ? path : "." + path }
    let name = path[path.index(after: slash)...]
    return name.isEmpty || name.hasPrefix(".") ? path : path[...slash] + "." + name
  }

  /// Fills a directory that is there with a copy, which is then verified and on the disk.
  func fillCopy(_ partial: String) throws(LMDBError) {
    let place = try StoreDirectory(path: partial, creating: false, allowsGroup: false)
    let file = try place.open(StoreDirectory.dataName, O_RDWR | O_CREAT | O_EXCL)
    defer { systemClose(file) }
    let newest = try newestCommit()
    try writeCopy(file)
    try finish(file, in: place, after: newest)
  }

  /// Makes a copy that was filled by commits one that can take the place of the store.
  func finishCopy(_ partial: String, after newest: UInt64) throws(LMDBError) {
    let place = try StoreDirectory(path: partial, creating: false, allowsGroup: false)
    let file = try place.open(StoreDirectory.dataName, O_RDWR)
    defer { systemClose(file) }
    try finish(file, in: place, after: newest)
  }

  private func finish(
    _ file: Int32,
    in place: borrowing StoreDirectory,
    after newest: UInt64
  ) throws(LMDBError) {
    try MetaPages.renumber(file, after: newest, path: place.path)
    guard fsync(file) == 0 else { throw LMDBError.system("fsync", path: place.path) }
    _ = try StoreVerifier.verify(directory: place.path)
    try Manifest.write(place, isSynchronised: true)
  }

  private func writeCopy(_ file: Int32) throws(LMDBError) {
    try checkAllPages()
    // LMDB begins a reader of its own, which has to count at the gate like any other.
    let index = try readers.claim()
    defer {
      readers.forgetNote(index)
      release(index)
    }
    readers.note(index, snapshot: 0, "a copy of the store", line: 0)
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    let code = mdb_env_copyfd2(handle, file, UInt32(MDB_CP_COMPACT))
    guard code == MDB_SUCCESS else {
      if code == EIO, FileSystem.isFull(file) {
        throw LMDBError(.diskFull, path: directory, returnCode: code)
      }
      throw LMDBError(returnCode: code, path: directory, doing: "mdb_env_copyfd2")
    }
  }

  /// The number of the newest commit.
  func newestCommit() throws(LMDBError) -> UInt64 {
    let index = try readers.claim()
    defer { release(index) }
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    return UInt64(info.me_last_txnid)
  }
}
