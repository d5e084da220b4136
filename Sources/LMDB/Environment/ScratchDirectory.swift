#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The directory `.temporary-<name>` beside a store, for the copy of a compaction and for a store that is
/// being deleted; or `.seeding-<name>`, for the copy of the file with which a new store begins.
///
/// The name of a store never begins with a dot. The process that uses the directory locks it with `flock`.
/// The system releases the lock when that process ends, even if it is killed. A directory whose lock is free
/// was therefore left by a process that was killed, and is removed.
package struct ScratchDirectory: ~Copyable {
  /// The path of the directory.
  package let path: String
  private let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// The purpose of the directory, with which its name begins.
  package enum Purpose: String, Sendable {
    case exchange = ".temporary-"
    case seed = ".seeding-"
  }

  /// Returns the path of the scratch directory for a store's directory.
  package static func path(beside directory: String, for purpose: Purpose = .exchange) -> String {
    var (parent, name) = split(directory)
    if name.isEmpty || name == "." || name == "..", let resolved = realpath(parent + name, nil) {
      // SAFETY: the system allocated the string for the caller.
      defer { free(resolved) }
      (parent, name) = split(String(cString: resolved))
    }
    return parent + purpose.rawValue + name
  }

  /// Splits a path after its last slash, ignoring trailing slashes.
  private static func split(_ path: String) -> (parent: String, name: String) {
    var path = path
    return path.withUTF8 { bytes in
      let slash = UInt8(ascii: "/")
      var end = bytes.count
      while end > 1, bytes[end - 1] == slash { end -= 1 }
      var start = end
      while start > 0, bytes[start - 1] != slash { start -= 1 }
      func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
      }
      return (text(0..<start), text(start..<end))
    }
  }

  /// Creates the directory, empty and locked.
  ///
  /// - Throws: `inUse` if another process or thread uses it; `permissionDenied`, `diskFull`; `systemCall` if
  ///   the process has no descriptor left.
  static func make(
    beside directory: String,
    for purpose: Purpose = .exchange
  ) throws(LMDBError) -> ScratchDirectory {
    let path = path(beside: directory, for: purpose)
    // Another process may remove the directory as abandoned before it is locked.
    for _ in 0..<100 {
      if mkdir(path, 0o700) != 0 {
        guard errno == EEXIST else { throw LMDBError.ofMkdir(path: path) }
        guard try removeUnused(path) else { break }
        continue
      }
      guard let descriptor = try open(path) else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isNamed(descriptor, path) {
        return ScratchDirectory(path: path, descriptor: descriptor)
      }
      systemClose(descriptor)
    }
    throw LMDBError(.inUse, "The store is being compacted, deleted or seeded.", path: path)
  }

  /// Removes a directory that a killed process has left.
  ///
  /// - Returns: Whether the directory no longer exists. `false` if it is in use or cannot be removed.
  @discardableResult
  package static func removeAbandoned(beside directory: String, for purpose: Purpose = .exchange) -> Bool {
    do throws(LMDBError) { return try removeUnused(path(beside: directory, for: purpose)) } catch {
      return false
    }
  }

  /// - Returns: Whether the directory no longer exists. `false` if it is in use or cannot be removed.
  /// - Throws: An error of the system if the directory cannot be opened.
  private static func removeUnused(_ path: String) throws(LMDBError) -> Bool {
    guard access(path, F_OK) == 0, let descriptor = try open(path) else { return true }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isNamed(descriptor, path) else {
      systemClose(descriptor)
      return false
    }
    return ScratchDirectory(path: path, descriptor: descriptor).removeAll()
  }

  /// Opens the directory, or returns `nil` if it does not exist.
  private static func open(_ path: String) throws(LMDBError) -> Int32? {
    let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor >= 0 { return descriptor }
    guard errno == ENOENT else { throw LMDBError.system("open", path: path) }
    return nil
  }

  /// Renames the directory of a store to the scratch directory, so that the store loses its own name.
  ///
  /// - Throws: An error of the system if this fails. The store then keeps its name.
  static func take(_ directory: borrowing StoreDirectory) throws(LMDBError) -> ScratchDirectory {
    let path = path(beside: directory.path)
    removeAbandoned(beside: directory.path)
    let descriptor = fcntl(directory.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw LMDBError.system("fcntl", path: directory.path) }
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    let code = FileSystem.renameExclusively(directory.path, to: path)
    guard code == 0 else {
      systemClose(descriptor)
      throw LMDBError(returnCode: code, path: directory.path, doing: "rename")
    }
    directory.synchroniseParent()
    return ScratchDirectory(path: path, descriptor: descriptor)
  }

  /// Removes the files in the directory.
  @discardableResult
  func empty() -> Bool { StoreDirectory.removeFiles(in: descriptor) == 0 }

  /// Removes the directory with its files, and releases the lock.
  @discardableResult
  consuming func removeAll() -> Bool { empty() && rmdir(path) == 0 }

  deinit {
    // A child process that another thread has just forked keeps the lock until its exec closes the descriptor.
    _ = flock(descriptor, LOCK_UN)
    systemClose(descriptor)
  }

  private static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
    var ours = stat()
    var named = stat()
    return fstat(descriptor, &ours) == 0 && lstat(path, &named) == 0
      && FileIdentity(ours) == FileIdentity(named)
  }
}

extension StoreDirectory {
  /// Removes the files of an open directory, but not directories in it. Returns 0 or the first failure.
  static func removeFiles(in descriptor: Int32) -> Int32 {
    var failure: Int32 = 0
    for name in names(in: descriptor) where unlinkat(descriptor, name, 0) != 0 && errno != ENOENT {
      if failure == 0 { failure = errno }
    }
    return failure
  }

  /// Returns the names of the files in an open directory.
  static func names(in descriptor: Int32) -> [String] {
    // A separate descriptor, because `fdopendir` takes ownership, and duplicated descriptors share their
    // position.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      systemClose(copy)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        // SAFETY: the name is a C string in the entry, which is valid until the next call of readdir.
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
