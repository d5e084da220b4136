#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The identity of a file or directory, independent of its path.
struct FileIdentity: Equatable, Sendable {
  var device: UInt64
  var node: UInt64

  init(_ info: stat) {
    device = UInt64(truncatingIfNeeded: info.st_dev)
    node = UInt64(truncatingIfNeeded: info.st_ino)
  }
}

/// A store's directory, opened without following a symbolic link and found safe to use.
///
/// Files in it are accessed relative to the open directory, so replacing the path in the meantime has no
/// effect. `lock.mdb` is opened only while no environment of this process has the store open, because closing
/// any descriptor of it releases LMDB's own locks.
struct StoreDirectory: ~Copyable {
  static let dataName = "data.mdb"
  static let lockName = "lock.mdb"
  static let manifestName = "store.manifest"

  let path: String
  let identity: FileIdentity
  let descriptor: Int32
  /// Whether the directory's group is trusted.
  private let allowsGroup: Bool
  /// The mode of new files. A trusted group that may write to the directory may also use them.
  let fileMode: mode_t
  /// The directory's group.
  let group: gid_t

  /// - Parameter allowsGroup: See ``EnvironmentOptions/allowsGroupWritableDirectory``.
  init(path given: String, creating: Bool, allowsGroup: Bool) throws(LMDBError) {
    let path = StoreDirectory.withoutTrailingSlashes(given)
    guard !path.isEmpty, !path.utf8.contains(0) else { throw LMDBError(.unsafePath, path: path) }
    try LMDBVersion.loaded.check(path: path)
    var isNew = false
    // Checking for the directory takes a fifth of the time that trying to create it does.
    if creating, access(path, F_OK) != 0 {
      isNew = mkdir(path, 0o700) == 0
      if !isNew, errno != EEXIST { throw LMDBError.ofMkdir(path: path) }
    }
    let (descriptor, info) = try StoreDirectory.openChecked(path, allowsGroup: allowsGroup)
    self.path = path
    self.descriptor = descriptor
    self.allowsGroup = allowsGroup
    identity = FileIdentity(info)
    group = info.st_gid
    fileMode = allowsGroup && info.st_mode & 0o020 != 0 ? 0o660 : 0o600
    if isNew { synchroniseParent() }
  }

  private static func openChecked(
    _ path: String,
    allowsGroup: Bool
  ) throws(LMDBError) -> (descriptor: Int32, info: stat) {
    let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      var info = stat()
      if code == ENOTDIR, lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFLNK {
        throw LMDBError(.unsafePath, path: path, detail: "it is a symbolic link")
      }
      throw LMDBError(returnCode: code, path: path, doing: "open")
    }
    do throws(LMDBError) {
      var info = stat()
      guard fstat(descriptor, &info) == 0 else { throw LMDBError.system("fstat", path: path) }
      try checkOwner(info, allowsGroup: allowsGroup, path: path)
      return (descriptor, info)
    } catch {
      systemClose(descriptor)
      throw error
    }
  }

  /// Removes trailing slashes, which would make the system follow a link despite `O_NOFOLLOW`.
  private static func withoutTrailingSlashes(_ path: String) -> String {
    guard path.utf8.last == UInt8(ascii: "/") else { return path }
    var path = Substring(path)
    while path.utf8.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  deinit { systemClose(descriptor) }

  /// Whether the path still leads to this directory.
  var isNamed: Bool {
    var info = stat()
    return lstat(path, &info) == 0 && FileIdentity(info) == identity
  }

  /// Returns the system's status of a file of the store, or `nil` if the file does not exist.
  func file(_ name: String) throws(LMDBError) -> stat? {
    var info = stat()
    guard fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return nil }
      throw LMDBError.system("fstatat", path: path + "/" + name)
    }
    let file = path + "/" + name
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw LMDBError(.unsafePath, path: file, detail: "not a regular file")
    }
    guard info.st_nlink == 1 else {
      throw LMDBError(.unsafePath, path: file, detail: "the file has a second name")
    }
    try StoreDirectory.checkOwner(info, allowsGroup: allowsGroup, path: file)
    return info
  }

  /// Whether files can be created in the directory.
  var isWritable: Bool { faccessat(descriptor, ".", W_OK, AT_EACCESS) == 0 }

  /// Opens a file of the store other than `lock.mdb`. The caller closes the descriptor.
  func open(_ name: String, _ flags: Int32) throws(LMDBError) -> Int32 {
    try openAny(name, flags)
  }

  /// Makes the names in the directory durable.
  func synchronise() throws(LMDBError) {
    guard systemSynchroniseAll(descriptor) == 0 else { throw LMDBError.system("fsync", path: path) }
  }

  /// Makes the directory's own name durable, as far as the system allows.
  func synchroniseParent() {
    // The directory works without this; only its name might not survive a power cut.
    _ = parentSynchronisation()
  }

  /// Makes the directory's new name durable after a rename.
  ///
  /// - Throws: `outcomeUnknown` if the device fails. Does nothing if the process may not open the parent
  ///   directory.
  func synchroniseName(_ new: String) throws(LMDBError) {
    let code = parentSynchronisation()
    guard code == 0 || code == EACCES || code == EPERM || code == EINVAL || code == EROFS else {
      throw StoreDirectory.unknownName(new, code)
    }
  }

  /// Makes the names in the directory durable after one of them was given to another file.
  ///
  /// - Throws: `outcomeUnknown` if the device fails.
  func synchroniseNewNames() throws(LMDBError) {
    do throws(LMDBError) { try synchronise() } catch {
      if error.returnCode == EINVAL { return }
      throw StoreDirectory.unknownName(path, error.returnCode)
    }
  }

  private static func unknownName(_ path: String, _ code: Int32) -> LMDBError {
    LMDBError(
      .outcomeUnknown,
      "The files were exchanged, but the directory could not be synced: after a power cut either file may be there, each intact.",
      path: path,
      detail: "fsync",
      returnCode: code
    )
  }

  private func parentSynchronisation() -> Int32 {
    let parent = openat(descriptor, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return errno }
    defer { systemClose(parent) }
    return systemSynchroniseAll(parent) == 0 ? 0 : errno
  }
}
