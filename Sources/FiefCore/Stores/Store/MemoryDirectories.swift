import Foundation
import LMDB

#if os(Linux)
  import CFiefRuntime
#endif

extension StoreLocation {
  /// Creates a directory for a store in memory, which belongs to this process.
  ///
  /// It is in `/dev/shm` where that is a memory file system with 256 MiB free, or else in the temporary
  /// directory. It goes with ``removeDirectory(_:)``, or when the process ends by itself; after one that was killed,
  /// with the next process that makes one.
  ///
  /// - Throws: ``FiefError`` with `.cannotOpen` where no directory can be created.
  package static func makeInMemoryDirectory() throws(FiefError) -> String {
    MemoryDirectories.sweepOnce
    let places = MemoryDirectories.places()
    for place in places.dropLast() {
      // A place without space, or without the right to write: the next place may do.
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
/// Each directory has a file that its process keeps locked. The system releases the lock when the process
/// ends in any way, also where the process cannot be seen from here, as from another container that shares
/// `/dev/shm`; so a process that gets the lock may remove the directory.
enum MemoryDirectories {
  static let markName = ".owner"
  private static let prefix = "fief-memory-"
  /// More than the 64 MiB that containers often have there: a store cannot move once it is open.
  static let leastFreeBytes: UInt64 = 256 << 20
  private static let sharedMemory = "/dev/shm"

  /// The descriptors that hold the locks of this process, by directory.
  private static let locks = OwnedLock(SortedTable<String, Int32>())

  /// Evaluated by the first in-memory store of the process.
  static let sweepOnce: Void = StoreLocation.sweepAbandoned()

  /// The places in which a directory may be made, the best one first; or for a sweep, in which some may be left.
  static func places(isSweep: Bool = false) -> [String] {
    #if os(Linux)
      // The same directory as that of `FileManager`.
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
    // A sweep of another process may take a new directory between its creation and its lock: once more.
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
    throw FiefError(.cannotOpen, "The directory of an in-memory store is always taken.", path: place)
  }

  /// The process that the directories are removed with when it ends by itself, and not one that it was forked into.
  private static let removesAtExit: pid_t = {
    atexit { MemoryDirectories.removeAll() }
    return getpid()
  }()

  private static func removeAll() {
    guard removesAtExit == getpid() else { return }
    // Stores that are still open keep their files until the process has ended, without names.
    for path in locks.withLock({ $0.allKeys }) { removeTree(path) }
  }

  /// Gives a directory's lock back, where this process holds it.
  static func release(_ path: String) {
    if let descriptor = locks.withLock({ $0.removeValue(of: path) }) { close(descriptor) }
  }

  /// The descriptor that holds the lock of a new directory; nil where a sweep has taken the directory.
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
      // The process of the directory ended before it could lock it, or while it removed it.
      remove(directory, path)
    }
  }

  private static func remove(_ directory: Int32, _ path: String) {
    if StoreLocation.removeFiles(in: directory, depth: treeDepth) == 0 { rmdir(path) }
  }

  /// The depth of the directories in a sandbox: parents, and stores in them.
  private static let treeDepth = 2

  /// Removes a directory that ``make(in:)`` made, with the stores in it, and gives its lock back.
  static func removeTree(_ path: String) {
    defer { release(path) }
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { return }
    defer { close(directory) }
    remove(directory, path)
  }

  /// Whether nothing has happened in the directory for a minute; its process locks it at once.
  private static func isOld(_ status: stat) -> Bool {
    #if canImport(Darwin)
      let changed = status.st_mtimespec.tv_sec
    #else
      let changed = status.st_mtim.tv_sec
    #endif
    return time(nil) - changed > 60
  }

  /// Whether the process that the name begins with is there, or another one has its number by now.
  private static func isAlive(_ name: String) -> Bool {
    guard let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }) else { return false }
    return process > 0 && (kill(process, 0) == 0 || errno == EPERM)
  }
}
