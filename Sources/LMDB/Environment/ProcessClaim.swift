#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The right of one process to open a store, on systems where LMDB's lock of the writers is not robust.
///
/// Apple's systems have no robust mutexes, so LMDB uses named semaphores on them. A process that is killed in
/// a write leaves its semaphore locked, and every later writer waits for it without end. LMDB creates the
/// semaphores again only when a process opens the store alone. Therefore only one process at a time may open
/// a store on these systems.
///
/// The claim is a lock on the directory. The system releases it when the process ends, even if the process is
/// killed.
final class ProcessClaim: Sendable {
  /// Whether this system needs claims.
  static let isNeeded: Bool = {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }()

  private let descriptor: Int32

  /// Claims a store for this process.
  ///
  /// - Throws: `inUse` if another process has the store open.
  init(_ directory: borrowing StoreDirectory) throws(LMDBError) {
    let path = directory.path
    descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError.system("open", path: path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      systemClose(descriptor)
      guard code == EWOULDBLOCK else { throw LMDBError(returnCode: code, path: path, doing: "flock") }
      throw LMDBError(
        .inUse,
        "Another process has the store open, and this system allows one process at a time.",
        path: path
      )
    }
  }

  /// Returns the claim of a store that is about to be opened, or `nil` if no claim is needed.
  ///
  /// A store without a lock table that is opened for reading only, such as a backup, has no locks to lose.
  static func ifNeeded(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions
  ) throws(LMDBError) -> ProcessClaim? {
    // A scratch directory is locked already, and a second lock of the same process would be refused.
    guard isNeeded, !options.isPrivateToProcess else { return nil }
    if options.isReadOnly, try directory.file(StoreDirectory.lockName) == nil { return nil }
    return try ProcessClaim(directory)
  }

  deinit {
    // A child process that another thread has just forked keeps the lock until its exec closes the descriptor.
    _ = flock(descriptor, LOCK_UN)
    systemClose(descriptor)
  }
}
