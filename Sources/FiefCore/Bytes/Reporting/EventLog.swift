import LMDB

/// The failures in a test's stores that the library could not throw, and the failures that the test expects.
package final class EventLog: Sendable {
  /// An event that a test expects, and the matching events so far.
  package final class Expectation: Sendable {
    private let isExpected: @Sendable (StoreEvent) -> Bool
    private let found = OwnedLock<[StoreEvent]>([])

    package init(_ isExpected: @escaping @Sendable (StoreEvent) -> Bool) { self.isExpected = isExpected }

    /// The matching events, in order; at most 1,000.
    package var events: [StoreEvent] { found.withLock { $0 } }

    func takes(_ event: StoreEvent) -> Bool {
      guard isExpected(event) else { return false }
      found.withLock { if $0.count < 1000 { $0.append(event) } }
      return true
    }
  }

  /// The maximum number of events that a failure of a test shows.
  private static let limit = 20

  private struct State {
    var expectations: [Expectation]
    var unexpected: [(place: EventPlace, event: StoreEvent, count: Int)] = []
    var further = 0
  }

  private let state: OwnedLock<State>

  /// Creates a log with the expectations of the current task.
  init() { state = OwnedLock(State(expectations: Self.expected)) }

  /// The expectations of the task, with the innermost last.
  @TaskLocal static var expected: [Expectation] = []

  func note(_ event: StoreEvent) {
    if Self.expected.reversed().contains(where: { $0.takes(event) }) { return }
    let known = state.withLock { $0.expectations }
    if known.reversed().contains(where: { $0.takes(event) }) { return }
    let place = EventPlace(event)
    state.withLock { state in
      if let index = state.unexpected.firstIndex(where: { $0.place == place }) {
        state.unexpected[index].count += 1
      } else if state.unexpected.count < Self.limit {
        state.unexpected.append((place, event, 1))
      } else {
        state.further += 1
      }
    }
  }

  /// Returns the texts of the unexpected failures, and removes them from the log.
  package func takeUnexpected() -> [String] {
    let (unexpected, further) = state.withLock { state in
      defer { (state.unexpected, state.further) = ([], 0) }
      return (state.unexpected, state.further)
    }
    var texts = unexpected.map { EventText($0.event).lines(count: $0.count, hasNote: false) }
    if further > 0 { texts.append("\(further) further failures elsewhere") }
    return texts
  }

  func add(_ expectation: Expectation) { state.withLock { $0.expectations.append(expectation) } }

  func remove(_ expectation: Expectation) {
    state.withLock { state in
      if let index = state.expectations.lastIndex(where: { $0 === expectation }) {
        state.expectations.remove(at: index)
      }
    }
  }
}
