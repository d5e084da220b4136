import Foundation
import LMDB

#if os(Linux)
  import CFiefRuntime
#endif

extension StoreLocation {
  /// Creates a directory for a store in memory, which belongs to this process.
  ///
  /// The directory is in `/dev/shm` if that is a memory file system with 256 MiB free, and otherwise in the
  /// temporary directory. It is removed by ``removeDirectory(_:)``, or when the process exits. If the process
  /// is killed, the next process that creates such a directory removes it.
  ///
  /// - Throws: ``FiefError`` of code `cannotOpen` if no directory can be created.
  package static func makeInMemoryDirectory() throws(FiefError) -> String {
    MemoryDirectories.sweepOnce
    let places = MemoryDirectories.places()
    for place in places.dropLast() {
      // A file system may be full or not writable, and the next one may still work.
      if let path = try? MemoryDirectories.make(in: place) { return path }
    }
    return try MemoryDirectories.make(in: places.last ?? "/tmp")
  }

  /// Removes the in-memory directories of this user whose processes have ended.
  package static func sweepAbandoned() {
    for place in MemoryDirectories.places(isSweep: true) { MemoryDirectories.sweep(place) }
  }
}

/// The directories of stores in memory.
///
/// Each directory contains a file that its process keeps locked. The system releases the lock when the
/// process ends for any reason. This also works if the process is not visible from here, for example in
/// another container that shares `/dev/shm`. A process that gets the lock may therefore remove the directory.
enum MemoryDirectories {
  static let markName = ".owner"
  private static let prefix = "fief-memory-"
  /// The free space that shared memory must have. It is more than the total of 64 MiB that containers often
  /// have, because a store cannot move once it is open.
  static let leastFreeBytes: UInt64 = 256 << 20
  private static let sharedMemory = "/dev/shm"

  /// The descriptors that hold this process's locks, by directory.
  private static let locks = OwnedLock(SortedTable<String, Int32>())

  /// Evaluated when the process creates its first store in memory.
  static let sweepOnce: Void = StoreLocation.sweepAbandoned()

  /// Returns the parent directories for a new directory, the best one first. For a sweep, returns all that
  /// may contain abandoned directories.
  static func places(isSweep: Bool = false) -> [String] {
    #if os(Linux)
      // The same directory as the temporary directory of `FileManager`.
      let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      return isSweep || hasRoom(sharedMemory) ? [sharedMemory, temporary] : [temporary]
    #else
      return [FileManager.default.temporaryDirectory.path]
    #endif
  }

  #if os(Linux)
    static func hasRoom(_ path: String, leastFreeBytes: UInt64 = leastFreeBytes) -> Bool {
      let tmpfsMagic = 0x0102_1994
      var status = statfs()
      guard statfs(path, &status) == 0, Int(status.f_type) == tmpfsMagic else { return false }
      return UInt64(status.f_bavail) * UInt64(status.f_bsize) >= leastFreeBytes
    }
  #endif

  static func make(in place: String) throws(FiefError) -> String {
    try StoreLocation.checkLibrary(place)
    // Another process may sweep a new directory between its creation and its lock, so this is tried again.
    for _ in 0..<16 {
      let random = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      let path = StoreLocation.joined(place, "\(prefix)\(getpid())-\(random)")
      guard mkdir(path, 0o700) == 0 else {
        if errno == EEXIST { continue }
        throw StoreLocation.systemError(
          .cannotOpen,
          "The directory of an in-memory store cannot be created.",
          path,
          errno
        )
      }
      if let lock = try lock(path) {
        _ = removesAtExit
        locks.withLock { $0[path] = lock }
        return path
      }
    }
    throw FiefError(.cannotOpen, "No free directory was found for an in-memory store.", path: place)
  }

  /// The process whose exit removes the directories. A child that is forked from it does not remove them.
  private static let removesAtExit: pid_t = {
    atexit { MemoryDirectories.removeAll() }
    return getpid()
  }()

  private static func removeAll() {
    guard removesAtExit == getpid() else { return }
    // Stores that are still open use their files without names until the process has ended.
    for path in locks.withLock({ $0.allKeys }) { removeTree(path) }
  }

  /// Releases a directory's lock if this process has it.
  static func release(_ path: String) {
    if let descriptor = locks.withLock({ $0.removeValue(of: path) }) { close(descriptor) }
  }

  /// Returns the descriptor that holds the lock of a new directory, or nil if a sweep has removed the
  /// directory.
  private static func lock(_ path: String) throws(FiefError) -> Int32? {
    let mark = StoreLocation.joined(path, markName)
    let descriptor = open(mark, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let failure = errno
      rmdir(path)
      throw StoreLocation.systemError(
        .cannotOpen,
        "The directory of an in-memory store cannot be locked.",
        path,
        failure
      )
    }
    var ours = stat()
    var named = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &ours) == 0,
      lstat(mark, &named) == 0, ours.st_ino == named.st_ino, ours.st_dev == named.st_dev
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  static func sweep(_ place: String) {
    guard let stream = opendir(place) else { return }
    let names = StoreLocation.names(in: stream, beginningWith: prefix)
    closedir(stream)
    for name in names { sweep(StoreLocation.joined(place, name), name) }
  }

  private static func sweep(_ path: String, _ name: String) {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { return }
    defer { close(directory) }
    var status = stat()
    guard fstat(directory, &status) == 0, status.st_uid == geteuid() else { return }
    let mark = openat(directory, markName, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    if mark >= 0 {
      defer { close(mark) }
      guard flock(mark, LOCK_EX | LOCK_NB) == 0 else { return }
      remove(directory, path)
    } else if errno == ENOENT, isOld(status), !isAlive(name) {
      // The process of the directory ended before it locked the directory, or while it removed the directory.
      remove(directory, path)
    }
  }

  private static func remove(_ directory: Int32, _ path: String) {
    if StoreLocation.removeFiles(in: directory, depth: treeDepth) == 0 { rmdir(path) }
  }

  /// The number of directory levels in a sandbox: the parents, and the stores in them.
  private static let treeDepth = 2

  /// Removes a directory that ``make(in:)`` created, with the stores in it, and releases its lock.
  static func removeTree(_ path: String) {
    defer { release(path) }
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { return }
    defer { close(directory) }
    remove(directory, path)
  }

  /// Whether the directory has not changed for a minute. A new directory is locked immediately, so a process
  /// that needed it would have locked it.
  private static func isOld(_ status: stat) -> Bool {
    #if canImport(Darwin)
      let changed = status.st_mtimespec.tv_sec
    #else
      let changed = status.st_mtim.tv_sec
    #endif
    return time(nil) - changed > 60
  }

  /// Whether a process with the id in the directory's name exists. It may be another process that got the
  /// same id.
  private static func isAlive(_ name: String) -> Bool {
    guard let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }) else { return false }
    return process > 0 && (kill(process, 0) == 0 || errno == EPERM)
  }
}
