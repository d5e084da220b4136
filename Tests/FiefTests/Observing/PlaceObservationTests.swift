import Fief
import Testing

@testable import FiefCore

/// Observations of places: which commits concern them, and after which commit changes are unknown.
struct PlaceObservationTests {
  private func place(_ path: String) -> [ExactText] {
    path.split(separator: "/").map { ExactText(String($0)) }
  }

  private func writing(_ paths: String...) -> CommittedChanges {
    var changes = ChangeSet()
    changes.insert(ObjectKey(rowID: 1), "Node")
    changes.places = Set(paths.map(place))
    return CommittedChanges(changes: changes)
  }

  private func add(_ paths: String..., to machine: inout ObservationMachine) -> ObservationMachine.ID {
    let interest = ObservationInterest(places: paths.map(place))
    let id = machine.add(interest, .starting)
    _ = machine.didStart(id, interest, 1)
    return id
  }

  private func work(_ machine: inout ObservationMachine, _ commit: UInt64) -> [ObservationMachine.ID:
    PendingChanges]
  {
    guard case .evaluate(let items) = machine.beginRound(commit, machine.generation) else { return [:] }
    for (id, _) in items {
      _ = machine.didEvaluate(
        id,
        machine.observations[id]?.interest ?? ObservationInterest(),
        hasReport: false
      )
    }
    return Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.pending) })
  }

  @Test func aCommitConcernsTheObservationsAtAboveAndBelowItsPlaces() {
    var machine = ObservationMachine(isShared: true)
    let root = add("", to: &machine)
    let users = add("users", to: &machine)
    let name = add("users/a/name", to: &machine)
    let twin = add("users/a/name", to: &machine)
    let other = add("users/ab", to: &machine)
    let several = add("rooms", "users/a", to: &machine)
    func concerned(_ commit: UInt64, _ paths: String...) -> Set<ObservationMachine.ID> {
      var changes = ChangeSet()
      changes.insert(ObjectKey(rowID: 1), "Node")
      changes.places = Set(paths.map(place))
      _ = machine.didCommit([commit], [CommittedChanges(changes: changes)])
      let work = work(&machine, commit)
      for (id, pending) in work {
        // Only the places that concern the observation are passed on, and no objects.
        let own = machine.observations[id]?.interest.places ?? []
        #expect(pending.changes.isEmpty && !pending.changes.places.isEmpty)
        for place in pending.changes.places {
          #expect(own.contains { $0.starts(with: place) || place.starts(with: $0) })
        }
      }
      return Set(work.keys)
    }
    #expect(concerned(2, "users/a/name") == [root, users, name, twin, several])
    #expect(concerned(3, "users/a/name/first") == [root, users, name, twin, several])
    #expect(concerned(4, "users/ab", "elsewhere") == [root, users, other])
    #expect(concerned(5, "users") == [root, users, name, twin, other, several])
    #expect(concerned(6, "rooms/r1") == [root, several])
    #expect(concerned(7, "") == [root, users, name, twin, other, several])
    // Names are the same only if their bytes are.
    #expect(concerned(8, "users/a/n\u{e4}me") == [root, users, several])
    #expect(concerned(9, "users/a/na\u{308}me") == [root, users, several])
    machine.remove(twin)
    #expect(machine.index.observations(at: place("users/a/name")) == [name])
    for id in [name, several] { machine.remove(id) }
    #expect(machine.index.observations(at: place("users/a")).isEmpty)
    #expect(concerned(10, "users/a") == [root, users])
  }

  @Test func unknownChangesBeginAfterTheLastKnownCommit() {
    var machine = ObservationMachine(isShared: true)
    let id = add("users", to: &machine)
    let away = add("rooms", to: &machine)
    // This process has written up to 3, and another one 4 and 5.
    _ = machine.didCommit([2], [writing("users/a")])
    _ = machine.didCommit([3], [writing("users/b")])
    let known = work(&machine, 3)
    #expect(known[id]?.changes.places == [place("users/a"), place("users/b")] && known[away] == nil)
    let others = work(&machine, 5)
    #expect(others[id]?.isUnknown == true && others[id]?.unknownAfter == 3)
    #expect(others[away]?.isUnknown == true && others[away]?.unknownAfter == 3)
    // A commit of this process shows the gap before it. A second gap does not hide the first one.
    _ = machine.didCommit([8], [writing("users/c")])
    _ = machine.didCommit([11], [writing("users/d")])
    let gap = work(&machine, 11)
    #expect(gap[id]?.isUnknown == true && gap[id]?.unknownAfter == 5)
    _ = machine.didCommit([12], [writing("users/e")])
    _ = machine.reevaluate(id)
    let again = work(&machine, 12)
    #expect(again[id]?.isUnknown == true && again[id]?.unknownAfter == 0)
    #expect(again[away] == nil)
  }

  /// A write to several stores has several commits, and any of them may have its places.
  @Test func tooManyChangesAreUnknownAfterTheCommitBeforeThem() {
    var machine = ObservationMachine(isShared: true, limit: 3)
    let id = add("users", to: &machine)
    _ = machine.didCommit([2, 3, 4], [writing("users/a", "users/b")])
    _ = machine.didCommit([5], [writing("users/c", "users/d")])
    _ = machine.didCommit([6], [writing("users/e")])
    let pending = work(&machine, 6)[id]
    #expect(pending?.isUnknown == true && pending?.unknownAfter == 1)
  }
}
