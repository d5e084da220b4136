import Foundation
import LMDB

extension StoreLocation {
  #if canImport(Darwin)
    typealias DirectoryStream = UnsafeMutablePointer<DIR>
  #else
    typealias DirectoryStream = OpaquePointer
  #endif

  /// Creates a directory that only its user may enter, and its missing parents in the same way.
  ///
  /// An existing directory is left unchanged. When this method returns, the created directories are on disk.
  ///
  /// - Throws: ``FiefError`` of code `cannotOpen`, with the path, if the directory cannot be created or if
  ///   something else has its name.
  package static func createPrivateDirectory(_ path: String) throws(FiefError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw FiefError(.cannotOpen, "The path of a directory is empty or has a zero byte.", path: path)
    }
    // This check takes a fifth of the time of a failing `mkdir`.
    if isDirectory(path) { return }
    try checkLibrary(path)
    if mkdir(path, 0o700) == 0 { return synchronizeParent(of: path) }
    if errno == ENOENT, let parent = parent(of: path) {
      try createPrivateDirectory(parent)
      if mkdir(path, 0o700) == 0 { return synchronizeParent(of: path) }
    }
    let failure = errno
    guard isDirectory(path) else {
      throw systemError(
        .cannotOpen,
        failure == EACCES && access(path, F_OK) != 0 && errno == EACCES
          ? "The system refuses access to the directory or one of its parents."
          : "The directory cannot be created.",
        path,
        failure == EEXIST ? ENOTDIR : failure
      )
    }
  }

  /// Removes a directory with the files in it. If the directory does not exist, nothing happens.
  ///
  /// Only files are removed. A store has no subdirectories, so nothing else can be lost.
  ///
  /// - Throws: ``FiefError`` of code `inputOutput`, with the path, if anything remains.
  package static func removeDirectory(_ path: String) throws(FiefError) {
    defer { MemoryDirectories.release(path) }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT { return }
      throw systemError(.inputOutput, "The directory cannot be removed.", path, errno)
    }
    defer { close(descriptor) }
    let failure = removeFiles(in: descriptor)
    guard failure == 0, rmdir(path) == 0 || errno == ENOENT else {
      throw systemError(
        .inputOutput,
        "The directory cannot be removed.",
        path,
        failure == 0 ? errno : failure
      )
    }
  }

  /// Removes the files of an open directory, the owner's mark last. Returns 0 or the error number of the
  /// first failure.
  ///
  /// - Parameter depth: the number of levels of subdirectories that are also removed.
  static func removeFiles(in descriptor: Int32, depth: Int = 0) -> Int32 {
    // `fdopendir` takes ownership of its descriptor.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return errno }
    guard let stream = fdopendir(copy) else {
      let failure = errno
      close(copy)
      return failure
    }
    var names = names(in: stream)
    closedir(stream)
    names.removeAll { $0 == MemoryDirectories.markName }
    for name in names + [MemoryDirectories.markName] {
      if unlinkat(descriptor, name, 0) == 0 || errno == ENOENT { continue }
      let failure = errno
      guard depth > 0, removeDirectory(name, in: descriptor, depth: depth) else { return failure }
    }
    return 0
  }

  /// Returns the names of the files in an open directory.
  ///
  /// `FileManager` could do this, but its first use takes longer than the rest of opening a store in memory.
  ///
  /// - Parameter prefix: only names with this prefix are returned.
  static func names(in stream: DirectoryStream, beginningWith prefix: String = "") -> [String] {
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        // SAFETY: the name is a C string in the entry, which is valid until the next call of readdir.
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
          strncmp($0, prefix, prefix.utf8.count) == 0 ? String(cString: $0) : nil
        }
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func removeDirectory(_ name: String, in parent: Int32, depth: Int) -> Bool {
    let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return removeFiles(in: descriptor, depth: depth - 1) == 0 && unlinkat(parent, name, AT_REMOVEDIR) == 0
  }

  /// Checks that the loaded LMDB library can be used, before any file is created.
  ///
  /// - Throws: ``FiefError`` of code `unsupportedLibrary`.
  static func checkLibrary(_ path: String) throws(FiefError) {
    do throws(LMDBError) { try LMDBVersion.loaded.check(path: path) } catch { throw FiefError(error) }
  }

  /// Returns an error with the system's reason.
  @inline(never)
  static func systemError(
    _ code: FiefError.Code,
    _ message: String,
    _ path: String,
    _ number: Int32
  ) -> FiefError {
    FiefError(
      code,
      message,
      path: path,
      details: [String(cString: strerror(number))],
      underlying: POSIXErrorCode(rawValue: number).map { POSIXError($0) }
    )
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the parent directory, or nil if the path has none.
  private static func parent(of path: String) -> String? {
    var rest = path[...]
    while rest.last == "/" { rest.removeLast() }
    guard let slash = rest.lastIndex(of: "/") else { return nil }
    rest = rest[..<slash]
    while rest.last == "/" { rest.removeLast() }
    return rest.isEmpty ? nil : String(rest)
  }

  /// Syncs the parent directory, because a new name is on disk only after its directory was synced. Failures
  /// are ignored, because nothing can be done about a file system that does not support this.
  private static func synchronizeParent(of path: String) {
    let descriptor = open(parent(of: path) ?? (path.hasPrefix("/") ? "/" : "."), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
