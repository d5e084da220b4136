import Fief

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The threads that are running a handler of the log. A handler that logs is not called for its own entries.
enum HandlerThreads {
  private static let threads = Lock<Set<UInt>>([])

  private static var current: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  /// Calls a closure, unless the thread is already inside such a call.
  ///
  /// - Returns: whether the closure was called.
  static func run(_ body: () -> Void) -> Bool {
    let thread = current
    guard threads.withLock({ $0.insert(thread).inserted }) else { return false }
    defer { threads.withLock { _ = $0.remove(thread) } }
    body()
    return true
  }
}
