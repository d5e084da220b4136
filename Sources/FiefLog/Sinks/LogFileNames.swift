#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The names of a log's files: the current file, and the full files with numbers appended.
struct LogFileNames {
  let path: String
  /// The number of full files that are kept.
  let kept: Int

  /// Renames the full files to their next names, unless another process does so or has done so.
  ///
  /// This does not wait, because another process may be suspended while it has the lock. If a file cannot be
  /// renamed, the newer files keep their names, so that no file replaces another file that should be kept.
  ///
  /// - Parameter isCurrent: returns whether the open file is still the file at the path.
  /// - Returns: the error number of the system, or 0 on success.
  func exchange(if isCurrent: () -> Bool) -> Int32 {
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if lock < 0 { return errno }
    defer { close(lock) }
    if flock(lock, LOCK_EX | LOCK_NB) != 0 { return errno == EWOULDBLOCK || errno == EINTR ? 0 : errno }
    // A child process that another thread has just forked keeps the lock until its exec closes the
    // descriptor.
    defer { _ = flock(lock, LOCK_UN) }
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
