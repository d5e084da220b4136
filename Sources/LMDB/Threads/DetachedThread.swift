import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Starts threads that end by themselves. No other code starts threads.
package enum DetachedThread {
  private final class Start {
    let name: String
    let blocksSignals: Bool
    /// The signals that the new thread blocks if its creator is a thread that blocks all signals; `nil` for
    /// other creators.
    let mask = DetachedThread.mask
    let body: @Sendable () -> Void

    init(_ name: String, _ blocksSignals: Bool, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.blocksSignals = blocksSignals
      self.body = body
    }
  }

  /// Starts a thread. Returns `false` if the system cannot provide one. `Foundation.Thread` does not report
  /// this failure, so code that waits for its thread would wait forever.
  ///
  /// - Parameters:
  ///   - stackSize: The size of the stack in bytes. The default size differs between systems.
  ///   - blocksSignals: Whether to leave signals to the application's own threads, because signals may be
  ///     intended to interrupt their system calls.
  package static func start(
    name: String,
    stackSize: Int = 1 << 20,
    blocksSignals: Bool = true,
    _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    // SAFETY: the reference that is retained here is released once: by the new thread, or below if the thread
    // does not start.
    let argument = Unmanaged.passRetained(Start(name, blocksSignals, body))
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let failure = pthread_create(&thread, &attributes, { DetachedThread.run($0) }, argument.toOpaque())
    if failure != 0 { argument.release() }
    return failure == 0
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // SAFETY: `start` passed a retained `Start`, and this runs once for each.
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    #if canImport(Darwin)
      pthread_setname_np(start.name)
    #else
      clmdb_name_thread(start.name)
    #endif
    if start.blocksSignals {
      var all = sigset_t()
      var former = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &former)
      mask = start.mask ?? former
    } else if var mask = start.mask {
      pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
    start.body()
    return nil
  }

  private static let maskKey: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, { free($0) }) == 0 ? key : nil
  }()

  /// The signals that the calling thread blocked before it blocked all signals. Threads that it starts block
  /// these signals. `nil` if the calling thread does not block all signals.
  private static var mask: sigset_t? {
    get {
      // SAFETY: the setter has stored a pointer to a set there, which the system frees at the end of the
      // thread.
      maskKey.flatMap { pthread_getspecific($0) }?.load(as: sigset_t.self)
    }
    set {
      guard let newValue, let maskKey, let place = malloc(MemoryLayout<sigset_t>.size) else { return }
      // SAFETY: the allocation has the size of a set, and `malloc` aligns it for any type.
      place.storeBytes(of: newValue, as: sigset_t.self)
      if pthread_setspecific(maskKey, place) != 0 { free(place) }
    }
  }
}
