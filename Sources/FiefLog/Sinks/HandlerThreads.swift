import Fief

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The threads that are in a handler of the log, so that one that logs is not called for what it logs.
enum HandlerThreads {
  private static let threads = Lock<Set<UInt>>([])

  private static var current: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  /// Calls a closure, unless the thread is in another call of this.
  ///
  /// - Returns: whether it was called.
  static func run(_ body: () -> Void) -> Bool {
    let thread = current
    guard threads.withLock({ $0.insert(thread).inserted }) else { return false }
    defer { threads.withLock { _ = $0.remove(thread) } }
    body()
    return true
  }
}
