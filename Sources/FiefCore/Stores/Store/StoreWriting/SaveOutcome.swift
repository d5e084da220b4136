import Synchronization

/// The outcome of a save, for collections that are changed while the save waits.
final class SaveOutcome: Sendable {
  private enum State: UInt8 {
    case pending, saved, failed
  }

  private let state = Atomic<UInt8>(State.pending.rawValue)

  var isPending: Bool { state.load(ordering: .relaxed) == State.pending.rawValue }
  var hasFailed: Bool { state.load(ordering: .relaxed) == State.failed.rawValue }

  func end(isSaved: Bool) {
    state.store((isSaved ? State.saved : State.failed).rawValue, ordering: .relaxed)
  }
}
