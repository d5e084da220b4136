/// Failures of an environment that no call can throw, such as failures of work after a commit or of
/// optimizations for reading.
struct FailureReports {
  var handler: StoredFunction<@Sendable (LMDBError) -> Void>?
  /// The first failures that occurred before a handler existed.
  var waiting: [LMDBError] = []
  /// Lasting failures, one for each code. Each handler receives each of them once.
  var lasting: [LMDBError] = []

  static let waitingLimit = 16
}

extension Environment {
  /// Calls a closure with each failure that no call can throw, including failures that occurred before. It
  /// replaces the closure of an earlier call.
  ///
  /// The closure is called on the thread that finds the failure. This thread may be reading or writing, so
  /// the closure must not use the store.
  package func onFailure(_ body: @escaping @Sendable (LMDBError) -> Void) {
    let earlier = failures.withLock { failures in
      failures.handler = StoredFunction(body)
      defer { failures.waiting = [] }
      return failures.lasting + failures.waiting
    }
    for error in earlier { body(error) }
  }

  /// Reports a failure that no call can throw.
  func report(_ error: LMDBError) {
    let handler = failures.withLock { failures in
      if failures.handler == nil, failures.waiting.count < FailureReports.waitingLimit {
        failures.waiting.append(error)
      }
      return failures.handler
    }
    handler?.function(error)
  }

  /// Reports a lasting failure, unless it was already reported.
  func reportOnce(_ error: LMDBError) {
    let handler = failures.withLock { failures -> StoredFunction<@Sendable (LMDBError) -> Void>? in
      if failures.lasting.contains(where: { $0.code == error.code }) { return nil }
      failures.lasting.append(error)
      return failures.handler
    }
    handler?.function(error)
  }
}
