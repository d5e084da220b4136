import Fief

/// The observations of a client. Observations that have ended are removed from time to time.
struct ClientObservations: Sendable {
  struct Entry: Sendable {
    private(set) weak var hub: ObservationHub?
    private(set) weak var token: NotificationToken?
    let id: ObservationMachine.ID
    /// The observed place; `nil` for a group.
    let path: TreePath?

    /// Has the observation evaluated again, also without a commit.
    func reevaluate() { hub?.reevaluate(id) }
  }

  private(set) var all: [Entry] = []
  /// The number of entries at which ended ones are removed.
  private var limit = 16

  mutating func add(_ entry: Entry) {
    if all.count >= limit {
      all.removeAll { $0.hub?.isActive($0.id) != true }
      limit = max(16, all.count * 2)
    }
    all.append(entry)
  }
}
