#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The limit on the size of a process's files (`RLIMIT_FSIZE`, `ulimit -f`).
///
/// A write that crosses the limit ends early, and a write that begins at the limit fails with `EFBIG`. In
/// addition, the system sends SIGXFSZ to the thread, which ends a process that neither handles nor ignores
/// the signal.
package enum FileSizeLimit {
  /// The limit in bytes, or `nil` if the size is unlimited.
  static var bytes: UInt64? {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    // `RLIM_INFINITY` is the maximum number or half of it.
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(Int64.max) else { return nil }
    return UInt64(limit.rlim_cur)
  }

  static var isSet: Bool { bytes != nil }

  /// Whether a file cannot grow any more.
  static func isReached(_ descriptor: Int32) -> Bool {
    guard let bytes else { return false }
    var info = stat()
    return fstat(descriptor, &info) == 0 && UInt64(clamping: info.st_size) >= bytes
  }

  /// Calls `body` with SIGXFSZ blocked, so that a write beyond the limit fails without a signal. This applies
  /// to the calling thread and to threads that it starts.
  package static func withoutSignal<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard isSet else { return try body() }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    var former = sigset_t()
    guard pthread_sigmask(SIG_BLOCK, &signals, &former) == 0 else { return try body() }
    // An outer call has blocked the signal and consumes it.
    if sigismember(&former, SIGXFSZ) == 1 { return try body() }
    defer {
      var pending = sigset_t()
      var number: Int32 = 0
      // Otherwise the signal would be delivered as soon as it is unblocked.
      if sigpending(&pending) == 0, sigismember(&pending, SIGXFSZ) == 1 { sigwait(&signals, &number) }
      pthread_sigmask(SIG_SETMASK, &former, nil)
    }
    return try body()
  }
}
