import Fief
import Foundation

/// A lock file that one process at a time holds until it releases the lock or ends.
struct ImportLock {
  private let descriptor: Int32
  private let path: String

  /// - Throws: ``FiefError`` of code `storeInUse` while another process, or another thread of this process,
  ///   holds the lock.
  init(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw FiefError(
        .storage,
        "The lock of the import cannot be made: \(String(cString: strerror(errno))).",
        path: path
      )
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw FiefError(.storeInUse, "Another process imports into the store.", path: path)
    }
  }

  /// - Parameter isRemoved: whether the file is removed. This is safe if a process that locks a new file then
  ///   has nothing to do.
  func release(isRemoved: Bool) {
    if isRemoved { unlink(path) }
    close(descriptor)
  }
}
