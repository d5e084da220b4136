import LMDB

/// A gate that delays the delivery of an observation until the consumer of the sequence requests the next
/// element.
package final class ObservationGate: Sendable {

  package init() {}
  package typealias Job = @Sendable () -> Void

  private struct State {
    var job: Job?
    var isEnded = false
    var waiter: CheckedContinuation<Job?, Never>?
  }

  private let state = OwnedLock(State())

  /// Stores a delivery. There is at most one delivery at a time.
  func put(_ job: @escaping Job) {
    let waiter = state.withLock { state -> CheckedContinuation<Job?, Never>? in
      if state.isEnded { return nil }
      guard let waiter = state.waiter else {
        state.job = job
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: job)
  }

  /// Ends the sequence and drops deliveries that were not requested.
  package func end() {
    // A delivery refers to its observation, which refers to this gate.
    let (waiter, job) = state.withLock { state in
      state.isEnded = true
      defer { (state.waiter, state.job) = (nil, nil) }
      return (state.waiter, state.job)
    }
    withExtendedLifetime(job) {}
    waiter?.resume(returning: nil)
  }

  /// Returns the next delivery, or nil if the sequence has ended.
  package func next() async -> Job? {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state -> Job?? in
        if let job = state.job {
          state.job = nil
          return .some(job)
        }
        if state.isEnded { return .some(nil) }
        // A second waiting call would never be resumed.
        guard state.waiter == nil else { return .some(nil) }
        state.waiter = continuation
        return nil
      }
      if let result { continuation.resume(returning: result) }
    }
  }
}
