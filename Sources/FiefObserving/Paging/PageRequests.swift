import FiefCore
import LMDB

/// The number of requested pages of a list. All followers of the list share it.
final class PageRequests: Sendable {
  struct State {
    var pages = 1
    /// Whether each follower of the list has more to load. A follower is missing until its first evaluation.
    var hasMore: [ObjectIdentifier: Bool] = [:]
    var observations: [(hub: ObservationHub, id: ObservationMachine.ID)] = []
  }

  let state = OwnedLock(State())

  var pages: Int { state.withLock { $0.pages } }

  /// Whether any follower of the list may have more to load.
  var hasMore: Bool { state.withLock { $0.hasMore.isEmpty || $0.hasMore.values.contains(true) } }

  /// - Returns: whether there may be more pages, and the observations to evaluate again.
  func ask() -> (hasMore: Bool, observations: [(hub: ObservationHub, id: ObservationMachine.ID)]) {
    state.withLock { state in
      let hasMore = state.hasMore.isEmpty || state.hasMore.values.contains(true)
      if hasMore { state.pages += 1 }
      return (hasMore, state.observations)
    }
  }

  /// - Parameter hasMore: `nil` if the follower has ended.
  func note(hasMore: Bool?, of follower: ObjectIdentifier) {
    state.withLock { $0.hasMore[follower] = hasMore }
  }

  func note(_ hub: ObservationHub, _ id: ObservationMachine.ID) {
    state.withLock { state in
      state.observations.removeAll { !$0.hub.isActive($0.id) }
      state.observations.append((hub, id))
    }
  }
}
