#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The names of a log's files: the one that is written to, and the full ones with a number behind it.
struct LogFileNames {
  let path: String
  /// The number of full files that are kept.
  let kept: Int

  /// Gives the full files their next names, unless another process does it or has done it.
  ///
  /// It does not wait: another process may be stopped while it has the lock. Where a name cannot be given, the files before
  /// it keep theirs, so that none takes the place of one that should stay.
  ///
  /// - Parameter isCurrent: whether the file that is written to is still the one at the path.
  /// - Returns: the system's number of the failure; 0 for none.
  func exchange(if isCurrent: () -> Bool) -> Int32 {
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if lock < 0 { return errno }
    defer { close(lock) }
    if flock(lock, LOCK_EX | LOCK_NB) != 0 { return errno == EWOULDBLOCK || errno == EINTR ? 0 : errno }
    if !isCurrent() { return 0 }
    if kept == 0 { return unlink(path) == 0 ? 0 : errno }
    for number in stride(from: kept - 1, through: 1, by: -1) {
      let code = move("\(path).\(number)", "\(path).\(number + 1)")
      // A number may be missing.
      if code != 0, code != ENOENT { return code }
    }
    return move(path, path + ".1")
  }

  private func move(_ name: String, _ next: String) -> Int32 { rename(name, next) == 0 ? 0 : errno }
}
