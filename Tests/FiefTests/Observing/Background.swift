import Dispatch
import Fief
import Foundation

/// Something that goes on on a thread of its own, and not on one of those that tests share.
final class Background: Sendable {
  private let result = Lock<Result<Void, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () throws -> Void) {
    Thread.detachNewThread { [self] in
      let done = Result { try body() }
      result.withLock { $0 = done }
      isDone.signal()
    }
  }

  /// Waits until it has ended.
  func wait() throws {
    isDone.wait()
    try result.withLock { $0 }?.get()
  }
}
