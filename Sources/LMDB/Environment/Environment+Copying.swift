import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Environment {
  /// Copies the newest commit into a new directory, without unused pages.
  ///
  /// The copy appears under its name complete, verified and on the disk, or not at all. Copying is a long
  /// read: pages that commits free in the meantime are kept until it ends.
  ///
  /// - Parameter destination: A path that does not exist, in an existing directory.
  /// - Throws: `alreadyExists`; `damaged` if the copy does not verify; `diskFull`, `inputOutput`;
  ///   `outcomeUnknown` if the copy has its name but the name may not be on the device.
  package func copy(to destination: String) throws(LMDBError) {
    try checkUsable()
    try makeCopy(destination) { (partial: String) throws(LMDBError) in try fillCopy(partial) }
  }

  /// Creates a directory with a copy that a closure fills. The directory has another name until it is
  /// complete.
  func makeCopy(
    _ destination: String,
    _ fill: (String) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    var info = stat()
    guard lstat(destination, &info) != 0 else { throw LMDBError(.alreadyExists, path: destination) }
    var generator = SystemRandomNumberGenerator()
    let suffix = String(UInt64.random(in: 0...UInt64.max, using: &generator), radix: 36)
    let partial = Environment.hidden(destination) + ".partial-" + suffix
    guard mkdir(partial, 0o700) == 0 else {
      var error = LMDBError.ofMkdir(path: destination)
      // The store exists, and its path is safe.
      if error.code == .notFound || error.code == .unsafePath { error.code = .directoryNotCreated }
      throw error
    }
    do throws(LMDBError) {
      try FileSizeLimit.withoutSignal { () throws(LMDBError) in try fill(partial) }
      // Opened before the copy has its name, so that nothing is left there if this fails.
      let opened = try StoreDirectory(path: partial, creating: false, allowsGroup: false)
      let code = FileSystem.renameExclusively(partial, to: destination)
      guard code == 0 else { throw LMDBError(returnCode: code, path: destination, doing: "rename") }
      try opened.synchroniseName(destination)
    } catch {
      // After the rename, these names no longer exist.
      for name in [StoreDirectory.dataName, StoreDirectory.manifestName, StoreDirectory.lockName] {
        unlink(partial + "/" + name)
      }
      rmdir(partial)
      throw error
    }
  }

  /// Returns the path with a dot before the name. No store has such a name.
  private static func hidden(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path.hasPrefix(".") ? path : "." + path }
    let name = path[path.index(after: slash)...]
    return name.isEmpty || name.hasPrefix(".") ? path : path[...slash] + "." + name
  }

  /// Fills an existing directory with a copy, verifies it, and synchronises it to the disk.
  func fillCopy(_ partial: String) throws(LMDBError) {
    let place = try StoreDirectory(path: partial, creating: false, allowsGroup: false)
    let file = try place.open(StoreDirectory.dataName, O_RDWR | O_CREAT | O_EXCL)
    defer { systemClose(file) }
    let newest = try newestCommit()
    try writeCopy(file)
    try finish(file, in: place, after: newest)
  }

  /// Finishes a copy that was filled by commits, so that it can replace the store.
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
    guard systemSynchroniseAll(file) == 0 else { throw LMDBError.system("fsync", path: place.path) }
    _ = try StoreVerifier.verify(directory: place.path)
    try Manifest.write(place, isSynchronised: true)
  }

  private func writeCopy(_ file: Int32) throws(LMDBError) {
    try checkAllPages()
    // LMDB begins its own reader, which must count at the gate like any other.
    let index = try readers.claim()
    defer {
      readers.forgetNote(index)
      release(index)
    }
    ReaderPool.note(readers.slots + index, snapshot: 0, "a copy of the store", line: 0)
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    let code = mdb_env_copyfd2(handle, file, UInt32(MDB_CP_COMPACT))
    guard code == MDB_SUCCESS else {
      if code == EIO, FileSystem.isFull(file) {
        throw LMDBError(.diskFull, path: directory, returnCode: code)
      }
      throw LMDBError(returnCode: code, path: directory, doing: "mdb_env_copyfd2")
    }
  }

  /// Returns the number of the newest commit.
  func newestCommit() throws(LMDBError) -> UInt64 {
    let index = try readers.claim()
    defer { release(index) }
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    return UInt64(info.me_last_txnid)
  }
}
