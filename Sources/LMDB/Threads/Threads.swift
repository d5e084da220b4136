import Synchronization

#if canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#else
  public import Darwin
#endif

/// Returns the identity of the calling thread, which is never 0.
@inlinable @inline(__always)
package func currentThread() -> UInt {
  #if canImport(Glibc)
    return UInt(pthread_self())
  #else
    return UInt(bitPattern: pthread_self())
  #endif
}

/// Counts the forks of this process image, so that an environment detects that it runs in a forked child
/// without a system call for each transaction.
package enum ForkGuard {
  /// The number of forks, which changes in a forked process.
  package static var currentGeneration: UInt32 {
    install()
    return generation.load(ordering: .relaxed)
  }

  static let generation = Atomic<UInt32>(0)

  private static let isInstalled: Bool =
    pthread_atfork(nil, nil, { ForkGuard.generation.wrappingAdd(1, ordering: .sequentiallyConsistent) }) == 0

  /// Makes later forks visible in ``generation``.
  @discardableResult
  static func install() -> Bool { isInstalled }
}
