import Foundation
import LMDB

extension StoreLocation {
  #if canImport(Darwin)
    typealias DirectoryStream = UnsafeMutablePointer<DIR>
  #else
    typealias DirectoryStream = OpaquePointer
  #endif

  /// Creates a directory that only its user may enter, and the parents that are missing likewise.
  ///
  /// A directory that exists is left as it is. The created directories are on disk when this returns.
  ///
  /// - Throws: ``FiefError`` with `.cannotOpen` and the path, where it cannot be created, or where
  ///   something that is not a directory has its name.
  package static func createPrivateDirectory(_ path: String) throws(FiefError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw FiefError(.cannotOpen, "The path of a directory is empty or has a zero byte.", path: path)
    }
    // Looking takes a fifth of the time that trying to make it does.
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
          ? "The system refuses access to the directory, or to one above it."
          : "The directory cannot be created.",
        path,
        failure == EEXIST ? ENOTDIR : failure
      )
    }
  }

  /// Removes a directory with the files in it; one that does not exist is no error.
  ///
  /// Only files are removed: a store has no directories in it, so nothing else can be lost.
  ///
  /// - Throws: ``FiefError`` with `.inputOutput` and the path, where something remains.
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

  /// Removes the files of an open directory, the owner's mark last; returns 0 or the first failure.
  ///
  /// - Parameter depth: the number of levels of directories below it that are removed too.
  static func removeFiles(in descriptor: Int32, depth: Int = 0) -> Int32 {
    // `fdopendir` takes its descriptor over.
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

  /// The names of the files in an open directory.
  ///
  /// `FileManager` would do, but its first use takes longer than the rest of opening a store in memory.
  ///
  /// - Parameter prefix: the beginning of the names.
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

  /// - Throws: ``FiefError`` of code `unsupportedLibrary`, before anything is made that the library could not use.
  static func checkLibrary(_ path: String) throws(FiefError) {
    do throws(LMDBError) { try LMDBVersion.loaded.check(path: path) } catch { throw FiefError(error) }
  }

  /// An error with the system's reason.
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

  /// The parent directory; nil where the path has none.
  private static func parent(of path: String) -> String? {
    var rest = path[...]
    while rest.last == "/" { rest.removeLast() }
    guard let slash = rest.lastIndex(of: "/") else { return nil }
    rest = rest[..<slash]
    while rest.last == "/" { rest.removeLast() }
    return rest.isEmpty ? nil : String(rest)
  }

  /// A new name is on disk once the directory that holds it is. File systems that cannot do it are left
  /// alone: there is nothing else to be done.
  private static func synchronizeParent(of path: String) {
    let descriptor = open(parent(of: path) ?? (path.hasPrefix("/") ? "/" : "."), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
