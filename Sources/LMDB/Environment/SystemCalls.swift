#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// Separate names, because methods called `open` and `close` hide the system's functions.

func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

@discardableResult
func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// Reads at an offset until the buffer is full or the file ends. Returns `nil` if the system reports a
/// failure.
func readFully(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int? {
  // SAFETY: every call writes at most the remaining bytes of the caller's buffer.
  var done = 0
  while done < buffer.count {
    let count = pread(
      descriptor,
      buffer.baseAddress.map { $0 + done },
      buffer.count - done,
      off_t(offset + done)
    )
    if count == 0 { break }
    if count < 0 {
      if errno == EINTR { continue }
      return nil
    }
    done += count
  }
  return done
}

func sizeOfFile(_ descriptor: Int32, path: String) throws(LMDBError) -> Int {
  var info = stat()
  guard fstat(descriptor, &info) == 0 else { throw LMDBError.system("fstat", path: path) }
  return Int(info.st_size)
}

@discardableResult
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// Writes at an offset. Returns the number of written bytes, or a negative number if the system reports a
/// failure.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
  while true {
    // SAFETY: the call reads as many bytes as the caller's buffer has.
    let count = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
    if count >= 0 || errno != EINTR { return count }
  }
}

/// Synchronises a file's contents to the disk, as LMDB does. Returns 0, or a negative number if the system
/// reports a failure.
///
/// On Apple's systems `fsync` does not wait for the disk's cache. `F_FULLFSYNC` does, but some file systems
/// do not support it.
func systemSynchronise(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    fullySynchronise(descriptor)
  #else
    fdatasync(descriptor)
  #endif
}

#if canImport(Darwin)
  private func fullySynchronise(_ descriptor: Int32) -> Int32 {
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    // The other call is tried only if the file system does not support the command: after a failure of the
    // disk it could seem to succeed.
    guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else { return -1 }
    return fsync(descriptor)
  }
#endif

/// Synchronises a directory, or a file with its metadata, to the disk. Returns 0, or a negative number if the
/// system reports a failure.
func systemSynchroniseAll(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    fullySynchronise(descriptor)
  #else
    fsync(descriptor)
  #endif
}

/// Whether LMDB's own synchronisation reaches the disk, so that nothing is left to do after a commit.
var isCommitSynchronised: Bool {
  #if canImport(Darwin)
    false
  #else
    true
  #endif
}

/// Returns the time of the monotonic clock in nanoseconds.
///
/// `ContinuousClock` is in a library that nothing else uses while a store is opened.
func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
