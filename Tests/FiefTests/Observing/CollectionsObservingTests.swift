import Fief
import Foundation
import Testing

@testable import FiefCore
@testable import FiefObserving

/// Observers of objects, lists, maps and inverses.
@Suite(.timeLimit(.minutes(20))) struct CollectionsObservingTests {
  private func owner(_ repository: ObsRepository) throws -> ObsOwner {
    try #require(repository.object(ofType: ObsOwner.self, forPrimaryKey: 1))
  }

  private func fill(_ repository: ObsRepository) throws {
    let owner = ObsOwner(1, "Ann")
    owner.dogs.append(objectsIn: [ObsDog(1, "a"), ObsDog(2, "b"), ObsDog(3, "c")])
    try repository.write { try $0.add(owner, update: .all) }
  }

  private func changeOwner(_ repository: ObsRepository, _ body: (WriteTransaction, ObsOwner) throws -> Void)
    throws
  {
    try repository.write { transaction in
      try body(transaction, try #require(try transaction.object(ofType: ObsOwner.self, forPrimaryKey: 1)))
    }
  }

  @Test func anObjectReportsWhatHasChanged() throws {
    try ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "Rex", age: 4), ObsDog(2)])
      let dog = try #require(repository.object(ofType: ObsDog.self, forPrimaryKey: 1))
      let heard = Lock<[String]>([])
      @Sendable func note(_ change: ObjectChange<ObsDog>) {
        heard.withLock { heard in
          switch change {
          case .change(let dog, let properties):
            let values = properties.map { "\($0.name) \($0.oldValue ?? "-") \($0.newValue ?? "-")" }
            heard.append("\(dog.name) \(dog.age): " + values.sorted().joined(separator: ", "))
          case .deleted: heard.append("deleted")
          case .error(let error): heard.append("\((error as? FiefError)?.code as Any)")
          }
        }
      }
      let token = dog.observe { note($0) }
      let names = dog.observe(keyPaths: ["name"]) { note($0) }
      try repository.change(1) { $0.age = 5 }
      try repository.delivered()
      #expect(heard.withLock { $0 } == ["Rex 5: age 4 5"])
      try repository.change(2) { $0.age = 5 }
      try repository.change(1) { $0.age = 5 }
      try repository.delivered()
      #expect(heard.withLock { $0.count } == 1)
      try repository.change(1) { $0.name = "Max" }
      try repository.delivered()
      #expect(heard.withLock { $0.dropFirst() } == ["Max 5: name Rex Max", "Max 5: name Rex Max"])
      names.invalidate()
      // Deleted and inserted again in one commit: no reader has seen it deleted.
      try repository.write { transaction in
        try transaction.delete(try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 1)))
        try transaction.create(ObsDog.self, value: ["id": 1, "name": "again"])
      }
      try repository.delivered()
      #expect(heard.withLock { $0.count } == 4)
      #expect(heard.withLock { $0.last } == "again 0: age 5 0, name Max again")
      try repository.write { transaction in
        try transaction.delete(try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 1)))
      }
      try repository.delivered()
      try repository.put([ObsDog(1, "third")])
      try repository.delivered()
      #expect(heard.withLock { $0.dropFirst(4) } == ["deleted"])
      let errors = [ObsDog(7), dog].map { dog in dog.observe(keyPaths: ["nope"]) { note($0) } }
      while heard.withLock({ $0.count }) < 7 { usleep(1_000) }
      withExtendedLifetime((token, errors)) {}
    }
  }

  @Test func loopsOverAnObjectEndWithIt() async throws {
    try await ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "Rex")])
      let dog = try #require(repository.object(ofType: ObsDog.self, forPrimaryKey: 1))
      let changes = dog.changes()
      let loop = Task {
        var names: [String] = []
        for try await change in changes {
          switch change {
          case .change(let dog, _): names.append(dog.name)
          case .deleted: names.append("deleted")
          case .error(let error): throw error
          }
        }
        return names
      }
      // The loop is an observation once it has begun, and only then.
      while try !repository.store().core().hub.isActive { try await Task.sleep(for: .milliseconds(1)) }
      try await Task.sleep(for: .milliseconds(20))
      try repository.put([ObsDog(1, "Max")])
      try await Task.sleep(for: .milliseconds(20))
      try repository.writeNow(silent: []) { try $0.deleteAll(ObsDog.self) }
      #expect(try await loop.value.last == "deleted")
    }
  }

  @Test func aListOfObjects() throws {
    try ObsRepository.forBoth { repository in
      try fill(repository)
      let heard = Lock<[String]>([])
      let ann = try owner(repository)
      let token = ann.dogs.observe { change in
        heard.withLock { heard in
          switch change {
          case .initial(let dogs): heard.append("\(dogs.map(\.name))")
          case .update(let dogs, let gone, let new, let changed):
            heard.append("\(dogs.map(\.name)) -\(gone) +\(new) ~\(changed)")
          case .error(let error): heard.append("\(error)")
          }
        }
      }
      try repository.delivered()
      try changeOwner(repository) { transaction, owner in
        owner.dogs.insert(ObsDog(4, "d"), at: 1)
        owner.dogs.remove(at: 0)
      }
      try repository.delivered()
      try repository.change(3) { $0.age = 3 }
      try repository.delivered()
      // Twice in the list.
      try changeOwner(repository) { transaction, owner in
        owner.dogs.append(try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 4)))
      }
      try repository.delivered()
      try changeOwner(repository) { _, owner in owner.name = "Ben" }
      try repository.delivered()
      try repository.write { transaction in
        try transaction.delete(try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 4)))
      }
      try repository.delivered()
      try changeOwner(repository) { transaction, owner in try transaction.delete(owner) }
      try repository.delivered()
      #expect(
        heard.withLock { $0 } == [
          #"["a", "b", "c"]"#, #"["d", "b", "c"] -[] +[] ~[0]"#, #"["d", "b", "c"] -[] +[] ~[2]"#,
          #"["d", "b", "c", "d"] -[] +[3] ~[]"#, #"["b", "c"] -[0, 3] +[] ~[]"#, "[] -[0, 1] +[] ~[]",
        ]
      )
      withExtendedLifetime(token) {}
    }
  }

  @Test func aListOfValues() throws {
    try ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1)])
      let dog = try #require(repository.object(ofType: ObsDog.self, forPrimaryKey: 1))
      let heard = Lock<[String]>([])
      let token = dog.nicknames.observe { change in
        heard.withLock { heard in
          switch change {
          case .initial(let names): heard.append("\(Array(names))")
          case .update(let names, let gone, let new, let changed):
            heard.append("\(Array(names)) -\(gone) +\(new) ~\(changed)")
          case .error(let error): heard.append("\(error)")
          }
        }
      }
      try repository.delivered()
      try repository.change(1) { $0.nicknames.append(objectsIn: ["x", "y", "z"]) }
      try repository.delivered()
      try repository.change(1) { $0.nicknames[1] = "Y" }
      try repository.delivered()
      try repository.change(1) { $0.age = 2 }
      try repository.delivered()
      try repository.change(1) { $0.nicknames.remove(at: 0) }
      try repository.delivered()
      #expect(
        heard.withLock { $0 } == [
          "[]", #"["x", "y", "z"] -[] +[0, 1, 2] ~[]"#, #"["x", "Y", "z"] -[] +[] ~[1]"#,
          #"["Y", "z"] -[0] +[] ~[]"#,
        ]
      )
      withExtendedLifetime(token) {}
    }
  }

  /// The pages of a list that others write to all the time: each object exactly once, in order, none missing.
  @Test(arguments: [true, false]) func pagesThatListen(newestLast: Bool) throws {
    try ObsRepository.forBoth { repository in
      // Many ties in the order.
      try repository.put((0..<100).map { ObsDog($0, "n", age: $0 / 7) })
      let all = repository.dogs.sorted(byKeyPath: "age", ascending: newestLast)
      let pages = PagedResults(all, pageSize: 10, newest: newestLast ? .last : .first)
      let state = Lock<(ids: [Int], wrong: [String], calls: Int)>(([], [], 0))
      let isRunning = Lock(true)
      let writer = Thread {
        var id = 1_000
        while isRunning.withLock({ $0 }) {
          do { try repository.put([ObsDog(id, "new", age: 14 + (id - 1_000) / 5)]) } catch {
            Issue.record(error)
          }
          id += 1
        }
      }
      writer.start()
      let token = pages.observe { change in
        state.withLock { state in
          state.calls += 1
          switch change {
          case .initial(let dogs): state.ids = dogs.map(\.id)
          case .update(let dogs, let gone, let new, let changed):
            for index in gone.reversed() { state.ids.remove(at: index) }
            for index in new { state.ids.insert(dogs[index].id, at: index) }
            if !changed.isEmpty { state.wrong.append("changed \(changed)") }
            if state.ids != dogs.map(\.id) { state.wrong.append("\(state.ids) is not \(dogs.map(\.id))") }
          case .error(let error): state.wrong.append("\(error)")
          }
        }
      }
      while state.withLock({ $0.calls }) < 3 { usleep(500) }
      for page in 2...4 {
        #expect(pages.loadMore())
        // Objects are loaded and inserted in the meantime.
        while state.withLock({ $0.ids.count }) < page * 10 { usleep(500) }
      }
      isRunning.withLock { $0 = false }
      while !writer.isFinished { usleep(500) }
      try repository.delivered()
      while pages.loadMore() { try repository.delivered() }
      #expect(state.withLock { $0.wrong } == [])
      #expect(state.withLock { $0.ids } == all.map(\.id))
      // An older one, when everything is loaded.
      try repository.put([ObsDog(-1, "old", age: -5)])
      try repository.delivered()
      #expect(state.withLock { $0.ids } == all.map(\.id))
      token.invalidate()
    }
  }

  @Test func aPageIsWhatWasThereAndWhatComesLater() throws {
    try ObsRepository.forBoth { repository in
      try repository.put((0..<30).map { ObsDog($0, "n", age: 1) })
      let pages = PagedResults(repository.dogs.sorted(byKeyPath: "age"), pageSize: 10)
      let ids = Lock<[[Int]]>([])
      let token = pages.observe { change in
        switch change {
        case .initial(let dogs), .update(let dogs, _, _, _): ids.withLock { $0.append(dogs.map(\.id)) }
        case .error(let error): Issue.record(error)
        }
      }
      try repository.delivered()
      #expect(ids.withLock { $0 } == [Array(20..<30)] && pages.hasMore)
      // Older than the page: it belongs to one that is not loaded. With the same value it is behind the place, or before.
      try repository.put([ObsDog(-1, age: 0), ObsDog(5, "changed", age: 1), ObsDog(40, age: 1)])
      try repository.delivered()
      #expect(ids.withLock { $0.last } == Array(20..<30) + [40])
      #expect(pages.loadMore())
      try repository.delivered()
      #expect(ids.withLock { $0.last } == Array(10..<30) + [40])
      #expect(pages.loadMore() && pages.loadMore())
      try repository.delivered()
      #expect(ids.withLock { $0.last } == [-1] + Array(0..<30) + [40] && !pages.hasMore && !pages.loadMore())
      withExtendedLifetime(token) {}
    }
  }
}
