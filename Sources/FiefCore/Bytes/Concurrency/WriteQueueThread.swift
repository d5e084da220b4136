import Foundation
import LMDB

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

  /// Starts a thread that ends by itself, with a stack that is far more than a batch of writes needs; false if the system has
  /// none to give. It calls closures of the application, which find its name and get the signals of the process.
  @Sendable static func start(name: String, body: @escaping @Sendable () -> Void) -> Bool {
    DetachedThread.start(name: name, stackSize: 2 << 20, blocksSignals: false) {
      Thread.current.name = name
      body()
    }
  }
}
