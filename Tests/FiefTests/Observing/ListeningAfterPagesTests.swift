import Dispatch
import Fief
import Foundation
import Testing

@testable import FiefCore
@testable import FiefObserving

/// Observers that begin where a page ends: each later change is reported exactly once.
@Suite(.timeLimit(.minutes(20))) struct ListeningAfterPagesTests {
  /// A page is fetched, others write, and only then an observation begins behind it, while three threads go on writing rows
  /// of which many have the same value in the order.
  @Test func whatComesAfterThePageIsToldOnce() throws {
    try ObsRepository.forBoth { repository in
      try repository.put((0..<60).map { ObsDog($0, "old", age: $0 / 20) })
      let dogs = repository.dogs.sorted(byKeyPath: "age")
      let page = try dogs.page(60)
      let cursor = try #require(page.end)
      try repository.put([ObsDog(100, "between", age: 2), ObsDog(-1, "before", age: 0)])
      let heard = ObsHeard()
      let inserted = Lock<[Int]>([])
      let token = dogs.start(after: cursor).observe { change in
        heard.note(change)
        switch change {
        case .initial(let dogs): inserted.withLock { $0 += dogs.map(\.id) }
        case .update(let dogs, _, let insertions, _):
          let ids = insertions.compactMap { dogs[$0]?.id }
          inserted.withLock { $0 += ids }
        case .error(let error): Issue.record(error)
        }
      }
      let group = DispatchGroup()
      for writer in 0..<3 {
        group.enter()
        Thread.detachNewThread {
          defer { group.leave() }
          for number in 0..<40 {
            // Ties with the last row of the page, before it and behind it in the order of the keys.
            let id = 1_000 + writer * 100 + number
            do { try repository.put([ObsDog(id, "new", age: 2 + number % 2)]) } catch { Issue.record(error) }
          }
        }
      }
      group.wait()
      try repository.delivered()
      var expected: [Int] = [100]
      for writer in 0..<3 { expected += (0..<40).map { 1_000 + writer * 100 + $0 } }
      #expect(inserted.withLock { $0.sorted() } == expected && heard.wrong == [])
      #expect(heard.names.count == expected.count)
      // No call comes after the observation has ended.
      token.invalidate()
      try repository.put([ObsDog(5_000, "late", age: 9)])
      try repository.delivered()
      #expect(inserted.withLock { $0.count } == expected.count)
    }
  }

  /// The row at which the pages begin, and rows in them, are changed, moved and deleted.
  @Test func pagesWhoseFirstRowGoes() throws {
    try ObsRepository.forBoth { repository in
      try repository.put((0..<40).map { ObsDog($0, "d", age: $0) })
      let pages = PagedResults(repository.dogs.sorted(byKeyPath: "age"), pageSize: 10)
      let state = Lock<(ids: [Int], calls: Int)>(([], 0))
      let token = pages.observe { change in
        switch change {
        case .initial(let dogs):
          let ids = dogs.map(\.id)
          state.withLock { $0 = (ids, 1) }
        case .update(let dogs, let deletions, let insertions, _):
          let ids = dogs.map(\.id)
          state.withLock { state in
            for index in deletions.reversed() { state.ids.remove(at: index) }
            for index in insertions { state.ids.insert(ids[index], at: index) }
            state.calls += 1
            #expect(state.ids == ids)
          }
        case .error(let error): Issue.record(error)
        }
      }
      try repository.delivered()
      #expect(state.withLock { $0.ids } == Array(30..<40))
      // The bound itself; then one that moves behind the end, and one that moves out of the pages.
      try repository.write { transaction in
        try transaction.delete(try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 30)))
      }
      try repository.change(31) { $0.age = 99 }
      try repository.change(35) { $0.age = -1 }
      try repository.delivered()
      #expect(state.withLock { $0.ids } == [32, 33, 34, 36, 37, 38, 39, 31])
      #expect(pages.loadMore())
      try repository.delivered()
      #expect(state.withLock { $0.ids } == Array(20..<30) + [32, 33, 34, 36, 37, 38, 39, 31])
      let calls = state.withLock { $0.calls }
      token.invalidate()
      _ = pages.loadMore()
      try repository.put([ObsDog(99, "late", age: 200)])
      try repository.delivered()
      #expect(state.withLock { $0.calls } == calls)
    }
  }

  /// Observations on an actor, with typed key paths through a link, as loops, and without any key path.
  @Test func whereAndOfWhatOneHears() async throws {
    try await ObsRepository.forBoth { repository in
      let dog = ObsDog(1, "Rex", age: 3)
      dog.owner = ObsOwner(1, "Ann")
      dog.nicknames.append("R")
      try repository.put([dog])
      let stored = try #require(repository.object(ofType: ObsDog.self, forPrimaryKey: 1))
      let calls = Lock<[String]>([])
      let tokens = [
        stored.observe(keyPaths: ["owner.name"], on: MainActor.shared) { _, change in
          MainActor.assertIsolated()
          if case .change(_, let properties) = change {
            calls.withLock { $0.append("object \(properties.map(\.name))") }
          }
        },
        repository.dogs.observe(keyPaths: [\.owner?.name]) { change in
          if case .update(_, _, _, let modifications) = change {
            calls.withLock { $0.append("typed \(modifications)") }
          }
        },
        repository.dogs.observe(keyPaths: []) { change in
          if case .update(_, let deletions, let insertions, let modifications) = change {
            calls.withLock { $0.append("none \(deletions) \(insertions) \(modifications)") }
          }
        },
      ]
      try await Self.delivered(repository)
      let loop = Task {
        for try await change in stored.nicknames.changes() {
          if case .update(let names, _, let insertions, _) = change { return insertions.map { names[$0] } }
        }
        return []
      }
      let sets = Task {
        for try await changes in repository.store().changes() where !changes[ObsOwner.self].modified.isEmpty {
          return changes[ObsOwner.self].modified.map(\.description)
        }
        return []
      }
      // A loop has begun when its first change has come; until then there are changes.
      let writer = Task {
        for number in 0..<10_000 where !Task.isCancelled {
          try repository.writeNow(silent: []) { transaction in
            let dog = try transaction.object(ofType: ObsDog.self, forPrimaryKey: 1)
            dog?.nicknames.append("n\(number)")
            dog?.owner?.name = "Ann \(number)"
          }
          try await Task.sleep(for: .milliseconds(2))
        }
      }
      let names = try await loop.value
      let owners = try await sets.value
      writer.cancel()
      _ = await writer.result
      #expect(names.allSatisfy { $0.hasPrefix("n") } && !names.isEmpty && owners == ["1"])
      try await Self.delivered(repository)
      calls.withLock { $0 = [] }
      try await repository.write { transaction in
        try transaction.object(ofType: ObsOwner.self, forPrimaryKey: 1)?.name = "Ben"
      }
      try await Self.delivered(repository)
      #expect(calls.withLock { $0.sorted() } == ["object [\"owner\"]", "typed [0]"])
      try await repository.write { try $0.add(ObsDog(2, "Bo")) }
      try await Self.delivered(repository)
      #expect(calls.withLock { $0.filter { $0.hasPrefix("none") } } == ["none [] [1] []"])
      withExtendedLifetime(tokens) {}
    }
  }

  /// Waits beside the pool's threads, which the handlers on actors need.
  nonisolated(nonsending) private static func delivered(_ repository: ObsRepository) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try repository.delivered() }) }
    }
  }
}
