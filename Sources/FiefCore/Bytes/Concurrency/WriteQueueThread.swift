import Foundation
import LMDB

/// Returns the time of the monotonic clock, in nanoseconds.
@inline(__always)
func writeQueueNow() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

enum WriteQueueThread {
  /// Starts a thread with a name and a body. Returns false if no thread could be started.
  typealias Make = @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool

  /// Starts a thread that ends by itself. Its stack is much larger than a batch of writes needs. Returns
  /// false if the system cannot start a thread. The thread calls closures of the application, which can see
  /// its name, and receives signals of the process.
  @Sendable static func start(name: String, body: @escaping @Sendable () -> Void) -> Bool {
    DetachedThread.start(name: name, stackSize: 2 << 20, blocksSignals: false) {
      Thread.current.name = name
      body()
    }
  }
}
