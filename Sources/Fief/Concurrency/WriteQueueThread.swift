import Foundation

/// The monotonic clock, in nanoseconds.
@inline(__always)
func writeQueueNow() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

/// A thread's identity, for as long as it lives.
struct WriteQueueThreadID: Hashable, Sendable {
  private let value: UInt

  @inline(__always)
  static var current: WriteQueueThreadID {
    #if canImport(Darwin)
      WriteQueueThreadID(value: UInt(bitPattern: pthread_self()))
    #else
      WriteQueueThreadID(value: UInt(pthread_self()))
    #endif
  }
}

enum WriteQueueThread {
  /// Starts a thread with this name and body; false if there is none.
  typealias Make = @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool

  private final class Start {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Far more than a batch needs; secondary threads get 512 KiB on some systems and 8 MiB on others.
  private static var stackSize: Int { 2 << 20 }

  /// Starts a thread that ends by itself; false if the system has none to give.
  ///
  /// `Foundation.Thread` does not report a failure, and the queue would wait for ever.
  @Sendable static func start(name: String, body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    // SAFETY: the reference taken here is given back once: by the new thread, or below if there is none.
    let argument = Unmanaged.passRetained(Start(name: name, body: body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = pthread_create(&thread, &attributes, { WriteQueueThread.run($0) }, argument.toOpaque())
    if failure != 0 { argument.release() }
    return failure == 0
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // SAFETY: `start` passed a retained `Start`, and this runs once for each.
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    Thread.current.name = start.name
    start.body()
    return nil
  }
}
