import Foundation

/// Threads that do parts of some work beside each other, and of which there are as many as are asked for: Dispatch's own
/// loop has no more than the machine has processors.
enum WorkerThreads {
  /// Calls the body with each number below `count`, on a thread of its own; returns when all have ended.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let running = DispatchGroup()
    for number in 0..<count {
      running.enter()
      Thread.detachNewThread {
        defer { running.leave() }
        body(number)
      }
    }
    running.wait()
  }
}
