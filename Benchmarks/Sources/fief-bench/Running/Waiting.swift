import Foundation
import Synchronization

/// Runs asynchronous work from the thread of the program, which is none of those that tasks run on.
func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
  let outcome = Outcome<Value>()
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    let result: Result<Value, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    outcome.value.withLock { $0 = result }
    done.signal()
  }
  done.wait()
  guard let result = outcome.value.withLock({ $0 }) else { throw BenchmarkError("a task returned no result") }
  return try result.get()
}

private final class Outcome<Value: Sendable>: Sendable {
  let value = Mutex<Result<Value, any Error>?>(nil)
}
