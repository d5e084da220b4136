import Fief
import Foundation

@testable import FiefCore

/// The state of an observer that knows the indexes alone.
final class TrackedListener: Sendable {
  struct State {
    var rows: [String] = []
    var calls = 0
    var wrong: [String] = []
    var last = ""
  }

  let name: String
  let state = Lock(State())

  init(_ name: String) { self.name = name }

  var rows: [String] { state.withLock { $0.rows } }
  var wrong: [String] { state.withLock { $0.wrong } }
  var calls: Int { state.withLock { $0.calls } }
  var last: String { state.withLock { $0.last } }

  /// - Parameter now: all rows as the handler sees them, each as it is to the observer.
  func note<Collection>(_ change: RealmCollectionChange<Collection>, _ now: (Collection) -> [String]) {
    switch change {
    case .initial(let collection):
      let now = now(collection)
      state.withLock { $0.rows = now }
    case .update(let collection, let deletions, let insertions, let modifications):
      let now = now(collection)
      let modified = change.newModifications
      state.withLock { state in
        state.calls += 1
        state.last = "-\(deletions) +\(insertions) ~\(modifications)"
        apply(deletions, insertions, modifications, now, &state, modified)
      }
    case .error(let error): state.withLock { $0.wrong.append("\(error)") }
    }
  }

  private func apply(
    _ deletions: [Int],
    _ insertions: [Int],
    _ modifications: [Int],
    _ now: [String],
    _ state: inout State,
    _ modified: [Int]
  ) {
    for indexes in [deletions, insertions, modifications] {
      if zip(indexes, indexes.dropFirst()).contains(where: { $0 >= $1 }) {
        state.wrong.append("\(name): not ascending: \(indexes)")
      }
    }
    if deletions.isEmpty, insertions.isEmpty, modifications.isEmpty { state.wrong.append("\(name): empty") }
    guard deletions.allSatisfy({ $0 < state.rows.count }),
      insertions.allSatisfy({ $0 < now.count }), modifications.allSatisfy({ $0 < state.rows.count })
    else { return state.wrong.append("\(name): beyond the end: \(state.last)") }
    // Each row with its place before.
    var rows: [(row: String, former: Int?)] = state.rows.enumerated().map { ($1, $0) }
    for index in deletions.reversed() { rows.remove(at: index) }
    for index in insertions where index <= rows.count { rows.insert((now[index], nil), at: index) }
    let former = Set(modifications)
    let changed = rows.indices.filter { rows[$0].former.map(former.contains) ?? false }
    if changed != modified || changed.count != modifications.count {
      state.wrong.append("\(name): \(state.last) have the places \(modified) and not \(changed) now")
    }
    for index in changed where index < now.count {
      if rows[index].row == now[index] {
        state.wrong.append("\(name): \(index) is as it was: \(now[index].prefix(300))")
      }
      rows[index].row = now[index]
    }
    if rows.map(\.row) != now { state.wrong.append("\(name): \(state.last) do not lead to what is there") }
    state.rows = now
  }
}
