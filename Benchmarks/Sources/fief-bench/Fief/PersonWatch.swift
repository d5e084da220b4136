import Fief
import Foundation

/// An observation of persons, and the changes that it has reported.
// SAFETY: everything that changes does so by those who have the lock.
final class PersonWatch: @unchecked Sendable {
  struct Changes: Sendable {
    var deletions: [Int]
    var insertions: [Int]
    var modifications: [Int]

    /// A collection after the changes.
    func applied(to old: [Int], _ new: [Int]) -> [Int] {
      let (gone, come) = (Set(deletions), Set(insertions))
      var stayed = old.indices.lazy.filter { !gone.contains($0) }.map { old[$0] }.makeIterator()
      let count = old.count - gone.count + come.count
      return (0..<count).map { (come.contains($0) ? new[$0] : stayed.next()) ?? -1 }
    }
  }

  private let condition = NSCondition()
  private var token: NotificationToken?
  private(set) var calls = 0
  /// The time of the last call.
  private(set) var time = 0.0
  /// The balance of the first of a few persons.
  private(set) var balance: Double?
  private(set) var changes: Changes?
  private var error: (any Error)?

  init(_ persons: Results<StoredPerson>) {
    token = persons.observe { [weak self] change in self?.note(change) }
  }

  /// Waits for enough changes, and throws an error that the observation had.
  func wait(_ isEnough: (PersonWatch) -> Bool) throws {
    condition.lock()
    defer { condition.unlock() }
    while error == nil, !isEnough(self) {
      guard condition.wait(until: Date(timeIntervalSinceNow: 60)) else {
        throw BenchmarkError("an observer was not notified of a commit for a minute")
      }
    }
    if let error { throw error }
  }

  private func note(_ change: RealmCollectionChange<Results<StoredPerson>>) {
    let time = Clock.now
    condition.lock()
    defer { condition.unlock() }
    switch change {
    case .error(let error): self.error = error
    case .initial: break
    case .update(let persons, let deletions, let insertions, let modifications):
      changes = Changes(deletions: deletions, insertions: insertions, modifications: modifications)
      let places = change.newModifications
      if places.count == 1 { balance = persons[places[0]]?.balance }
    }
    calls += 1
    self.time = time
    condition.broadcast()
  }
}
