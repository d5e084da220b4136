import Fief
import FiefTree
import Foundation

/// Observes a tree and keeps the reported events.
// SAFETY: the condition's lock guards all mutable properties.
final class TreeWatch: @unchecked Sendable {
  private let condition = NSCondition()
  private var token: NotificationToken?
  private(set) var calls = 0
  /// The time of the last call.
  private(set) var time = 0.0
  /// The number of the last child that was added.
  private(set) var last: Int?
  private var error: FiefError?

  init(_ source: some TreeQueryable, _ events: TreeEvents = .value) {
    token = source.observe(events, onError: { [weak self] in self?.fail($0) }) { [weak self] in
      self?.note($0)
    }
  }

  /// Waits for enough events, and throws an error that the observation had.
  func wait(_ isEnough: (TreeWatch) -> Bool) throws {
    condition.lock()
    defer { condition.unlock() }
    while error == nil, !isEnough(self) {
      guard condition.wait(until: Date(timeIntervalSinceNow: 60)) else {
        throw BenchmarkError("an observation of a tree was not notified for a minute")
      }
    }
    if let error { throw error }
  }

  private func note(_ event: TreeEvent) {
    let time = Clock.now
    condition.lock()
    defer { condition.unlock() }
    if case .childAdded(let child, _) = event { last = child.json.int.map { Int($0) } }
    calls += 1
    self.time = time
    condition.broadcast()
  }

  private func fail(_ error: FiefError) {
    condition.lock()
    defer { condition.unlock() }
    self.error = error
    condition.broadcast()
  }
}
