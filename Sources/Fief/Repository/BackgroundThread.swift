/// Runs work that may block for long on a thread of its own, since threads of the cooperative pool must not block.
enum BackgroundThread {
  /// Calls a closure on a new thread, under the label of the task, and suspends until it has returned.
  ///
  /// - Throws: what the closure throws; ``FiefError`` of code `storage` where the system has no thread to give.
  nonisolated(nonsending) static func run<Value: Sendable>(
    named name: String,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let label = StoreUsage.label
    return try await withCheckedThrowingContinuation { continuation in
      let isStarted = WriteQueueThread.start(name: name) {
        continuation.resume(with: Result { try StoreUsage.withLabel(label, body) })
      }
      if isStarted { return }
      continuation.resume(throwing: FiefError(.storage, "The system has no thread to give."))
    }
  }
}
