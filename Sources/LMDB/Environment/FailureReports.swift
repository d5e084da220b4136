/// Failures of an environment that no call can throw: of work after a commit, or of what only makes reading faster.
struct FailureReports {
  var handler: StoredFunction<@Sendable (LMDBError) -> Void>?
  /// Failures that were found before there was a handler.
  var waiting: [LMDBError] = []
  /// The kinds of failures that last, and are reported once.
  var known: [LMDBError.Code] = []
}

extension Environment {
  /// Calls a closure with each failure that no call can throw, and with those that were found before.
  ///
  /// The closure is called on the thread that finds the failure, which may be reading or writing: it must not use the store.
  package func onFailure(_ body: @escaping @Sendable (LMDBError) -> Void) {
    let waiting = failures.withLock { failures in
      failures.handler = StoredFunction(body)
      defer { failures.waiting = [] }
      return failures.waiting
    }
    for error in waiting { body(error) }
  }

  /// Reports a failure that no call can throw.
  func report(_ error: LMDBError) {
    let handler = failures.withLock { failures in
      if failures.handler == nil { failures.waiting.append(error) }
      return failures.handler
    }
    handler?.function(error)
  }

  /// Reports a failure that lasts, unless it was reported before.
  func reportOnce(_ error: LMDBError) {
    let isNew = failures.withLock { failures in
      guard !failures.known.contains(error.code) else { return false }
      failures.known.append(error.code)
      return true
    }
    if isNew { report(error) }
  }
}
