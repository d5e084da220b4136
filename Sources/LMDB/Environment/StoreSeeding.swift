#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Creates a store from the data file of another one, in two steps, so that the copy can be inspected in
/// between.
package enum StoreSeeding {
  /// Returns whether a directory contains a store or the remains of a lost one.
  package static func hasStore(_ directory: String) -> Bool {
    var info = stat()
    if stat(directory + "/" + StoreDirectory.manifestName, &info) == 0 { return true }
    let path = directory + "/" + StoreDirectory.dataName
    guard stat(path, &info) == 0, info.st_size > 0 else { return false }
    return !isUnmade(path)
  }

  /// Whether a data file without a manifest has no commit, because it was left by an interrupted opening.
  private static func isUnmade(_ path: String) -> Bool {
    let file = systemOpen(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { systemClose(file) }
    if (try? sizeOfFile(file, path: path)) == 0 { return true }
    if (try? Preflight.wasNeverMade(file, path: path)) == true { return true }
    return (try? MetaPages.read(file, path: path).newer.transaction) == 0
  }

  /// Calls `body` with an empty directory beside a store's directory, and removes it afterwards.
  ///
  /// Only one process at a time uses the directory; others wait. Files that a killed process has left in it
  /// are removed.
  ///
  /// - Throws: `inUse` if other processes use it for longer than a minute, and any error of `body`.
  package static func withScratch<Value>(
    beside directory: String,
    _ body: (String) throws -> Value
  ) throws -> Value {
    let end = monotonicNanoseconds() + 60_000_000_000
    while true {
      let scratch: ScratchDirectory
      do throws(LMDBError) { scratch = try ScratchDirectory.make(beside: directory, for: .seed) } catch {
        guard error.code == .inUse, monotonicNanoseconds() < end else { throw error }
        usleep(5000)
        continue
      }
      let path = scratch.path
      let result = Result { try body(path) }
      scratch.removeAll()
      return try result.get()
    }
  }

  /// Copies a data file into a new directory, verifies the copy and synchronises it to the disk.
  ///
  /// Another user may own the source, and it may be on a read-only disk. The source may be in use; the copy
  /// contains its newest commit.
  ///
  /// - Parameters:
  ///   - source: A data file, or the directory of a store.
  ///   - copy: A path that does not exist, or an empty directory. The caller must remove its content after an
  ///     error.
  ///   - isSynchronised: Whether the copy must be on the disk when this method returns.
  /// - Throws: `notFound`, `notAStore`, `truncated`, `damaged`, `versionMismatch` for the source; `diskFull`,
  ///   `inputOutput`.
  package static func copy(
    _ source: String,
    to copy: String,
    isSynchronised: Bool
  ) throws(LMDBError) {
    var info = stat()
    guard stat(source, &info) == 0 else { throw LMDBError.system("stat", path: source) }
    let isDirectory = info.st_mode & S_IFMT == S_IFDIR
    let file = isDirectory ? source + "/" + StoreDirectory.dataName : source
    // Opening a pipe in blocking mode would wait for a writer.
    let input = systemOpen(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard input >= 0 else { throw LMDBError.system("open", path: file) }
    defer { systemClose(input) }
    guard fstat(input, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size > 0 else {
      throw LMDBError(.notAStore, path: file)
    }
    let place = try StoreDirectory(path: copy, creating: true, allowsGroup: false)
    let output = try place.open(StoreDirectory.dataName, O_RDWR | O_CREAT | O_EXCL)
    defer { systemClose(output) }
    var attempt = 0
    while true {
      let before = try MetaPages.read(input, path: file).newer.transaction
      try FileSizeLimit.withoutSignal { () throws(LMDBError) in try transfer(input, output, path: copy) }
      // The pages of a commit are not overwritten before the next commit was made.
      let after = try MetaPages.read(input, path: file).newer.transaction
      if before == after { break }
      attempt += 1
      guard attempt < 20 else {
        throw LMDBError(.incompatible, path: file, detail: "other processes keep writing to the store")
      }
    }
    if isSynchronised, systemSynchroniseAll(output) != 0 { throw LMDBError.system("fsync", path: copy) }
    _ = try StoreVerifier.verify(directory: copy)
  }

  /// Moves the data file of a copy into a directory without a store.
  ///
  /// - Returns: `false` if another process has created a store there in the meantime.
  package static func move(
    _ copy: String,
    to directory: String,
    isSynchronised: Bool,
    allowsGroup: Bool = false
  ) throws(LMDBError) -> Bool {
    let place = try StoreDirectory(path: directory, creating: false, allowsGroup: allowsGroup)
    try place.share(dataOf: StoreDirectory(path: copy, creating: false, allowsGroup: false))
    let code = FileSystem.renameExclusively(
      copy + "/" + StoreDirectory.dataName,
      to: directory + "/" + StoreDirectory.dataName
    )
    if code == EEXIST {
      guard try replaceUnmade(in: directory, byCopyIn: copy, allowsGroup: allowsGroup) else { return false }
    } else if code != 0 {
      throw LMDBError(returnCode: code, path: directory, doing: "rename")
    }
    if isSynchronised { try place.synchronise() }
    try Manifest.write(place, isSynchronised: isSynchronised)
    return true
  }

  /// Replaces a data file that has no commit by the data file of a copy.
  ///
  /// - Returns: `false` if another process has created a store in it, or is about to.
  private static func replaceUnmade(
    in directory: String,
    byCopyIn copy: String,
    allowsGroup: Bool
  ) throws(LMDBError) -> Bool {
    do throws(LMDBError) {
      return try StoreLock.holding(directory, allowsGroup: allowsGroup) {
        (lock: ExclusiveLock) throws(LMDBError) -> Bool in
        let name = "/" + StoreDirectory.dataName
        guard access(directory + "/" + StoreDirectory.manifestName, F_OK) != 0, isUnmade(directory + name)
        else {
          return false
        }
        try lock.spoilTable()
        guard rename(copy + name, directory + name) == 0 else {
          throw LMDBError.system("rename", path: directory)
        }
        return true
      }
    } catch {
      if error.code == .inUse { return false }
      throw error
    }
  }

  private static func transfer(_ input: Int32, _ output: Int32, path: String) throws(LMDBError) {
    guard ftruncate(output, 0) == 0 else { throw LMDBError.system("ftruncate", path: path) }
    let size = 1 << 20
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = pread(input, buffer, size, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw LMDBError.system("read", path: path) }
      if count == 0 { return }
      var written = 0
      while written < count {
        // SAFETY: `written` is less than `count`, and the buffer has at least `count` bytes.
        let step = pwrite(output, buffer + written, count - written, off_t(offset + written))
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw LMDBError.system("write", path: path) }
        written += step
      }
      offset += count
    }
  }
}
