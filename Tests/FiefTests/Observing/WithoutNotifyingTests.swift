import Dispatch
import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

@testable import FiefCore
@testable import FiefObserving

/// Writes without notifying some observations, whatever else has changed meanwhile.
@Suite(.timeLimit(.minutes(20))) struct WithoutNotifyingTests {
  private struct Refused: Error {}

  /// A list that shows its own changes at once, and follows those of others by the reported indexes.
  private final class Screen: Sendable {
    struct Row: Equatable {
      let id: Int
      var age: Int
      var name: String
    }

    struct State {
      var rows: [Row] = []
      var calls = 0
      var wrong: [String] = []
    }

    let state = Lock(State())
    let queue = DispatchQueue(label: "screen")

    func note(_ change: RealmCollectionChange<Results<ObsDog>>) {
      state.withLock { state in
        state.calls += 1
        switch change {
        case .initial(let dogs): state.rows = dogs.map { Row(id: $0.id, age: $0.age, name: $0.name) }
        case .update(let dogs, let deletions, let insertions, _):
          let rows = dogs.map { Row(id: $0.id, age: $0.age, name: $0.name) }
          guard deletions.allSatisfy({ $0 < state.rows.count }), insertions.allSatisfy({ $0 < rows.count }),
            state.rows.count - deletions.count + insertions.count == rows.count
          else { return state.wrong.append("\(state.rows): \(change)") }
          for index in deletions.reversed() { state.rows.remove(at: index) }
          for index in insertions { state.rows.insert(rows[index], at: index) }
          for index in change.newModifications { state.rows[index] = rows[index] }
          if state.rows != rows { state.wrong.append("\(state.rows) is not \(rows) by \(change)") }
        case .error(let error): state.wrong.append("\(error)")
        }
      }
    }

    /// Shows the screen's own write: those of age 50 and more, by id.
    func show(_ id: Int, from old: Int?, to new: Int?) {
      state.withLock { state in
        let index = state.rows.firstIndex { $0.id >= id } ?? state.rows.count
        let isShown = index < state.rows.count && state.rows[index].id == id
        switch (old.map { $0 >= 50 } ?? false, new.map { $0 >= 50 } ?? false) {
        case (_, true) where isShown: state.rows[index] = Row(id: id, age: new ?? 0, name: "own")
        case (false, true): state.rows.insert(Row(id: id, age: new ?? 0, name: "own"), at: index)
        case (true, false) where isShown: state.rows.remove(at: index)
        default: break
        }
      }
    }
  }

  /// Commits of others and of the screen in any order, with late notifications: with those of the others it
  /// always has what the store has.
  @Test(arguments: 0..<TestEffort.count(1, more: 4)) func screensThatWriteHaveWhatTheStoreHas(_ run: Int)
    throws
  {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let place: Comment = "seed \(seed)"
    try ObsRepository.forBoth { repository in
      try repository.put((0..<20).map { ObsDog($0, "n", age: $0 * 5) })
      let screen = Screen()
      let token = repository.dogs.where { $0.age >= 50 }.sorted(byKeyPath: "id")
        .observe(on: screen.queue) { screen.note($0) }
      try repository.delivered()
      func write(isOwn: Bool) throws {
        let (id, age, isGone) = (random.next(24), random.next(100), random.next(4) == 0)
        var old: Int?
        try repository.writeNow(silent: isOwn ? [token] : []) { transaction in
          let dog = try transaction.object(ofType: ObsDog.self, forPrimaryKey: id)
          old = dog?.age
          if isGone {
            if let dog { try transaction.delete(dog) }
          } else if let dog {
            dog.age = age
            dog.name = isOwn ? "own" : "n\(age)"
          } else {
            try transaction.add(ObsDog(id, isOwn ? "own" : "n", age: age))
          }
        }
        if isOwn { screen.show(id, from: old, to: isGone ? nil : age) }
      }
      for _ in 0..<TestEffort.count(30, more: 60) {
        for _ in 0..<random.next(3) { try write(isOwn: false) }
        // The screen writes on the queue of its handler, which is not called meanwhile.
        try screen.queue.sync { for _ in 0..<random.next(6) { try write(isOwn: random.next(2) == 0) } }
        // Others go on while changes are delivered.
        if random.next(2) == 0 { try repository.delivered() }
      }
      try repository.delivered()
      let rows = repository.dogs.where { $0.age >= 50 }.sorted(byKeyPath: "id")
        .map { Screen.Row(id: $0.id, age: $0.age, name: $0.name) }
      #expect(screen.state.withLock { $0.wrong } == [], place)
      #expect(screen.state.withLock { $0.rows }.map(\.id) == rows.map(\.id), place)
      withExtendedLifetime(token) {}
    }
  }

  /// Changes of a list by its owner, and changes by others before that were not reported yet.
  @Test func listsSetsAndObjects() throws {
    try ObsRepository.forBoth { repository in
      try repository.write { transaction in
        let owner = ObsOwner(1, "Ann")
        try transaction.add(owner)
        for id in 1...4 { try transaction.add(ObsDog(id, "d")) }
        let dogs = transaction.objects(ObsDog.self).sorted(byKeyPath: "id").prefix(2)
        owner.dogs.append(objectsIn: dogs)
        dogs.first { $0.id == 1 }?.nicknames.append(objectsIn: ["a", "b"])
      }
      let owner = try #require(repository.object(ofType: ObsOwner.self, forPrimaryKey: 1))
      let dog = try #require(repository.object(ofType: ObsDog.self, forPrimaryKey: 1))
      let queue = DispatchQueue(label: "late")
      let calls = Lock<[String]>([])
      @Sendable func note<Collection>(_ name: String, _ change: RealmCollectionChange<Collection>) {
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
        calls.withLock { $0.append("\(name) -\(deletions) +\(insertions) ~\(modifications)") }
      }
      let tokens = [
        owner.dogs.observe(on: queue) { note("dogs", $0) },
        dog.nicknames.observe(on: queue) { note("names", $0) },
        repository.dogs.where { $0.owner.name == "Ann" }.observe(on: queue) { note("owned", $0) },
        dog.observe(on: queue) { change in
          guard case .change(_, let properties) = change else { return }
          calls.withLock { $0.append("dog \(properties.map(\.name).sorted())") }
        },
      ]
      try repository.delivered()
      func own(_ body: (WriteTransaction, ObsOwner, ObsDog) throws -> Void) throws {
        try repository.writeNow(silent: tokens) { transaction in
          let owner = try transaction.object(ofType: ObsOwner.self, forPrimaryKey: 1)
          let dog = try transaction.object(ofType: ObsDog.self, forPrimaryKey: 1)
          try body(transaction, try #require(owner), try #require(dog))
        }
      }
      // Its own change alone is not reported.
      try own { transaction, owner, dog in
        owner.dogs.append(try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 3)))
        dog.nicknames.removeLast()
        dog.owner = owner
      }
      try repository.delivered()
      #expect(calls.withLock { $0 } == [])
      // After changes of others that were not reported to it yet.
      queue.suspend()
      try repository.write { transaction in
        let owner = try #require(try transaction.object(ofType: ObsOwner.self, forPrimaryKey: 1))
        let dog = try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 1))
        owner.dogs.append(try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 4)))
        dog.nicknames.append("z")
        dog.name = "Rex"
        try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 2)).owner = owner
      }
      try own { _, owner, dog in
        owner.dogs.remove(at: 0)
        dog.nicknames.insert("first", at: 0)
        dog.age = 7
        dog.owner = nil
      }
      queue.resume()
      try repository.delivered()
      #expect(
        calls.withLock { $0.sorted() } == [
          "dog [\"name\", \"nicknames\"]", "dogs -[] +[2] ~[0]", "names -[] +[2] ~[]", "owned -[] +[0] ~[]",
        ]
      )
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func writesThatFailLeaveWhatWasToBeTold() async throws {
    try await ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "a"), ObsDog(2, "b")])
      let (heard, queue) = (ObsHeard(), DispatchQueue(label: "late"))
      let token = repository.dogs.sorted(byKeyPath: "id").observe(on: queue) { heard.note($0) }
      try repository.delivered()
      queue.suspend()
      try repository.put([ObsDog(3, "c")])
      #expect(throws: Refused.self) {
        try repository.writeNow(silent: [token]) { transaction in
          try transaction.deleteAll(ObsDog.self)
          throw Refused()
        }
      }
      // A second name that fails when the queue commits it.
      await #expect(throws: FiefError.self) {
        try await repository.write(withoutNotifying: [token]) { transaction in
          try transaction.add(ObsDog(4, "d"))
          try transaction.add(ObsDog(1, "again"))
        }
      }
      queue.resume()
      try repository.delivered()
      #expect(heard.calls == ["initial 2", "-[] +[2] ~[]"] && heard.wrong == [])
      #expect(heard.names == ["1:a:0", "2:b:0", "3:c:0"])
      withExtendedLifetime(token) {}
    }
  }

  /// Writes from the handler itself, from another thread while it is called, and before it has been called.
  @Test func whileTheHandlerIsCalled() throws {
    try ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "a")])
      let heard = ObsHeard()
      let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let token = Lock<NotificationToken?>(nil)
      let observed = repository.dogs.sorted(byKeyPath: "id").observe { change in
        heard.note(change)
        if heard.calls.count == 1 {
          entered.signal()
          gate.wait()
          do {
            try repository.writeNow(silent: token.withLock { $0.map { [$0] } ?? [] }) { transaction in
              try transaction.add(ObsDog(3, "c"))
            }
          } catch { Issue.record(error) }
        }
      }
      token.withLock { $0 = observed }
      entered.wait()
      try repository.writeNow(silent: [observed]) { try $0.add(ObsDog(2, "b")) }
      try repository.put([ObsDog(9, "z")])
      heard.state.withLock { $0.names += ["2:b:0", "3:c:0"] }
      gate.signal()
      try repository.delivered()
      #expect(heard.calls == ["initial 1", "-[] +[3] ~[]"] && heard.wrong == [])
      token.withLock { $0 = nil }
    }
  }
}
