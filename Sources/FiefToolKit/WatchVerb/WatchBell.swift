import Dispatch
import Fief

/// Passes commits from the thread that watches for them to the thread that compares states.
final class WatchBell: Sendable {
  /// The reason why waiting has ended.
  enum Call { case commit, removed, over }

  private struct State {
    var hasCommit = false
    var isRemoved = false
  }

  private let state = Lock(State())
  private let semaphore = DispatchSemaphore(value: 0)
  /// The maximum time for which an interrupt goes unnoticed.
  private static let patience = Duration.milliseconds(200)

  func ring(_ sighting: DynamicWatch.WatchEvent) {
    state.withLock { state in
      switch sighting {
      case .commit: state.hasCommit = true
      case .removed: state.isRemoved = true
      }
    }
    semaphore.signal()
  }

  /// Waits for a commit, or for the end.
  func wait(until deadline: ContinuousClock.Instant?, isInterrupted: () -> Bool) -> Call {
    while true {
      if isInterrupted() { return .over }
      let call = state.withLock { state -> Call? in
        if state.hasCommit {
          state.hasCommit = false
          return .commit
        }
        return state.isRemoved ? .removed : nil
      }
      if let call { return call }
      var left = Self.patience
      if let deadline { left = min(left, deadline - .now) }
      if left <= .zero { return .over }
      _ = semaphore.wait(timeout: .now() + left / .seconds(1))
    }
  }
}
