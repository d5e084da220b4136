import Fief
import Foundation

/// A lock file that one process at a time can lock, until it releases the lock or ends.
struct ImportLock {
  private let descriptor: Int32
  private let path: String

  /// - Throws: ``FiefError`` of code `storeInUse` if another process, or another thread of this process, has
  ///   the lock.
  init(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw FiefError(
        .storage,
        "The lock file of the import cannot be created: \(String(cString: strerror(errno))).",
        path: path
      )
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw FiefError(.storeInUse, "Another process is importing into the store.", path: path)
    }
  }

  /// - Parameter isRemoved: whether the file is removed. This is safe if a process that then locks a new file
  ///   finds nothing to do.
  func release(isRemoved: Bool) {
    if isRemoved { unlink(path) }
    // A child process that another thread has just forked keeps the lock until its exec closes the
    // descriptor.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
