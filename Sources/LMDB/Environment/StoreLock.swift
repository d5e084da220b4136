#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The processes that have a store open.
package enum StoreUse: Sendable, Hashable {
  /// No process.
  case unused
  /// This process.
  case thisProcess
  /// Another process of this machine, and its id if the system provides it. In a container, it may not.
  case otherProcess(Int32?)
}

/// LMDB's own lock on a store, as other processes see it.
///
/// Every process that has a store open holds a shared lock on the first byte of `lock.mdb`, even while it is
/// idle. Therefore a conflict with an exclusive lock reveals every other process of this machine, and a
/// process that holds an exclusive lock prevents others from opening the store. Two kinds of users are
/// invisible: machines that access the files over a network, which LMDB does not support, and readers of a
/// read-only medium, which has no lock to hold.
///
/// Closing any descriptor of a file releases the locks that the process holds on it. Therefore `lock.mdb` is
/// opened only while no environment of this process has the store open.
package enum StoreLock {
  /// Returns the processes that currently have a store open.
  ///
  /// - Parameter allowsGroup: See ``EnvironmentOptions/allowsGroupWritableDirectory``.
  /// - Throws: `notFound`, `unsafePath`, `permissionDenied` for the directory.
  package static func use(of directory: String, allowsGroup: Bool = false) throws(LMDBError) -> StoreUse {
    let place = try StoreDirectory(path: directory, creating: false, allowsGroup: allowsGroup)
    guard try place.file(StoreDirectory.lockName) != nil else { return .unused }
    let path = place.path
    let use = try EnvironmentRegistry.shared.whileClosed(place.identity) { () throws(LMDBError) -> StoreUse in
      let lock = systemOpen(path + "/" + StoreDirectory.lockName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      guard lock >= 0 else { throw LMDBError.system("open", path: path) }
      defer { systemClose(lock) }
      return try holder(of: lock, path: path)
    }
    return use ?? .thisProcess
  }

  /// Calls `body` while no process has the store open or can open it.
  ///
  /// A process that opens the store in the meantime waits until `body` has returned.
  ///
  /// - Throws: `inUse` if this process or another one has the store open, and any error of `body`.
  package static func withExclusiveUse<Value>(
    of directory: String,
    allowsGroup: Bool = false,
    _ body: () throws(LMDBError) -> Value
  ) throws(LMDBError) -> Value {
    try holding(directory, allowsGroup: allowsGroup) { (_: ExclusiveLock) throws(LMDBError) in try body() }
  }

  /// Does the same as ``withExclusiveUse(of:allowsGroup:_:)``, and passes the lock to `body`.
  static func holding<Value>(
    _ directory: String,
    allowsGroup: Bool,
    _ body: (ExclusiveLock) throws(LMDBError) -> Value
  ) throws(LMDBError) -> Value {
    let place = try StoreDirectory(path: directory, creating: false, allowsGroup: allowsGroup)
    _ = try place.file(StoreDirectory.lockName)
    let value = try EnvironmentRegistry.shared.whileClosed(place.identity) { () throws(LMDBError) -> Value in
      try holdingClosed(place, body)
    }
    guard let value else { throw inUse(.thisProcess, place.path) }
    return value
  }

  /// Does the same as ``holding(_:allowsGroup:_:)`` for a caller that ensures that no environment of this
  /// process has the store open or opens it.
  static func holdingClosed<Value>(
    _ place: borrowing StoreDirectory,
    _ body: (ExclusiveLock) throws(LMDBError) -> Value
  ) throws(LMDBError) -> Value {
    let path = place.path
    let descriptor = try place.openLock()
    defer { systemClose(descriptor) }
    var range = firstByte(F_WRLCK)
    guard fcntl(descriptor, F_SETLK, &range) == 0 else {
      throw inUse(try holder(of: descriptor, path: path), path)
    }
    let lock = ExclusiveLock(path: path, descriptor: descriptor)
    guard lock.isNamed else {
      // The store, and its table with it, was deleted before the lock was acquired.
      throw LMDBError(.inUse, "Another process is deleting or creating the store.", path: path)
    }
    // The lock must be finished before the descriptor is closed, which releases the lock.
    defer { lock.finish() }
    return try body(lock)
  }

  /// Returns the error for a store that is in use.
  package static func inUse(_ use: StoreUse, _ path: String) -> LMDBError {
    switch use {
    case .otherProcess(let id?): LMDBError(.inUse, path: path, detail: "process \(id)")
    case .otherProcess(nil), .unused: LMDBError(.inUse, path: path)
    case .thisProcess: LMDBError(.inUse, "This process has the store open.", path: path)
    }
  }

  private static func holder(of lock: Int32, path: String) throws(LMDBError) -> StoreUse {
    var range = firstByte(F_WRLCK)
    guard fcntl(lock, F_GETLK, &range) == 0 else { throw LMDBError.system("fcntl", path: path) }
    if range.l_type == Int16(F_UNLCK) { return .unused }
    return .otherProcess(range.l_pid > 0 ? range.l_pid : nil)
  }

  private static func firstByte(_ type: Int32) -> flock {
    var range = flock()
    range.l_type = Int16(type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = 0
    range.l_len = 1
    return range
  }
}
