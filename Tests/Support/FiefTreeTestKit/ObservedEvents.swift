import Fief
import FiefTree
import Testing

/// The events of an observation, as texts.
package final class ObservedEvents: Sendable {
  private struct State {
    var lines: [String] = []
    var snapshots: [TreeSnapshot] = []
    var errors: [FiefError.Code] = []
  }

  private let state = Lock(State())

  package init() {}

  package func note(_ event: TreeEvent) {
    let (line, snapshot) = Self.text(event)
    state.withLock { state in
      state.lines.append(line)
      state.snapshots.append(snapshot)
    }
  }

  package func note(_ error: FiefError) { state.withLock { $0.errors.append(error.code) } }

  /// Returns the events since the last call.
  package func take() -> [String] {
    state.withLock { state in
      defer { (state.lines, state.snapshots) = ([], []) }
      return state.lines
    }
  }

  package var snapshots: [TreeSnapshot] { state.withLock { $0.snapshots } }
  package var errors: [FiefError.Code] { state.withLock { $0.errors } }

  package static func text(_ event: TreeEvent) -> (String, TreeSnapshot) {
    switch event {
    case .value(let snapshot): ("value \(snapshot.json)", snapshot)
    case .childAdded(let child, let after): (text("+", child, after), child)
    case .childChanged(let child, let after): (text("~", child, after), child)
    case .childMoved(let child, let after): (text(">", child, after), child)
    case .childRemoved(let child): ("- \(child.key ?? "nil") \(child.json)", child)
    }
  }

  private static func text(_ mark: String, _ child: TreeSnapshot, _ after: String?) -> String {
    "\(mark) \(child.key ?? "nil") \(child.json) after \(after ?? "nil")"
  }
}

extension TreeFixture {
  /// Waits until all earlier commits are delivered.
  package func deliver() throws { try store.store().waitUntilDelivered() }

  /// Observes a place.
  package func observe(_ path: String, _ events: TreeEvents = .value, every: Duration? = nil) throws -> (
    ObservedEvents, NotificationToken
  ) {
    let noted = ObservedEvents()
    let token = try tree.reference(path).observe(
      events,
      every: every,
      onError: { noted.note($0) },
      { noted.note($0) }
    )
    try deliver()
    return (noted, token)
  }

  /// Expects the events of a change.
  package func expect(
    _ noted: ObservedEvents,
    _ lines: [String],
    sourceLocation: SourceLocation = #_sourceLocation,
    after change: () throws -> Void = {}
  ) throws {
    try change()
    try deliver()
    #expect(noted.take() == lines, sourceLocation: sourceLocation)
  }
}
