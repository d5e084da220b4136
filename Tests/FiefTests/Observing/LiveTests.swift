import Fief
import Foundation
import Observation
import Testing

@testable import FiefCore

/// The values that views read: tested with Observation's own tracking.
@Suite(.timeLimit(.minutes(20))) @MainActor struct LiveTests {
  /// Waits until what a closure reads changes once.
  private func change(of read: () -> Void, _ body: () throws -> Void) async throws {
    let isChanged = Lock(false)
    withObservationTracking(read) { isChanged.withLock { $0 = true } }
    try body()
    while !isChanged.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
    // The new state replaces the former one right after the call.
    await Task.yield()
  }

  @Test func resultsFollowTheStore() async throws {
    try await ObsRepository.forBoth { repository in
      try repository.put((0..<300).map { ObsDog($0, "n\($0)", age: $0) })
      let live = LiveResults(repository.dogs.where { $0.age >= 100 }.sorted(byKeyPath: "age"))
      #expect(live.isEmpty && !live.isLoaded)
      while !live.isLoaded { try await Task.sleep(for: .milliseconds(1)) }
      #expect(live.count == 200 && live.first?.id == 100 && live.last?.id == 299 && live.error == nil)
      #expect(live.map(\.id) == Array(100..<300))
      let kept = live[50]
      #expect(live[50] === kept)
      try await change(of: { _ = live.count }) { try repository.put([ObsDog(500, "x", age: 150)]) }
      #expect(live.count == 201 && live.lastChange.insertions == [51] && live[51].id == 500)
      #expect(live[50] === kept, "what has not changed is the same instance")
      try await change(of: { _ = live[50] }) { try repository.change(150) { $0.name = "changed" } }
      #expect(live[50] !== kept && live[50].name == "changed" && kept.name == "n150")
      #expect(live.lastChange.modifications == [50])
      try await change(of: { _ = live.map(\.name) }) {
        try repository.writeNow(silent: []) { transaction in
          try transaction.delete(
            try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 100))
          )
        }
      }
      #expect(live.count == 200 && live.first?.id == 101 && live.map(\.id) == live.map(\.id))
      live.invalidate()
      try repository.put([ObsDog(501, "y", age: 150)])
      try repository.delivered()
      #expect(live.count == 200)
    }
  }

  @Test func anObjectFollowsTheStore() async throws {
    try await ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "Rex")])
      let live = LiveObject(try #require(repository.object(ofType: ObsDog.self, forPrimaryKey: 1)))
      #expect(live.object?.name == "Rex")
      try await change(of: { _ = live.object?.name }) { try repository.change(1) { $0.name = "Max" } }
      #expect(live.object?.name == "Max")
      try await change(of: { _ = live.object }) {
        try repository.writeNow(silent: []) { try $0.deleteAll(ObsDog.self) }
      }
      #expect(live.object == nil && live.error == nil)
    }
  }

  /// The shown object is the one in the store, though it was read before it was changed there.
  @Test func anObjectThatWasReadLongAgoIsShownAsItIs() async throws {
    try await ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "Rex")])
      let dog = try #require(repository.object(ofType: ObsDog.self, forPrimaryKey: 1))
      try repository.change(1) { $0.name = "Max" }
      let live = LiveObject(dog)
      #expect(live.object?.name == "Max")
      try await change(of: { _ = live.object?.name }) { try repository.change(1) { $0.name = "Zoe" } }
      #expect(live.object?.name == "Zoe" && dog.name == "Rex")
      // Neither a deletion nor the end of the store takes away what is on the screen without a word.
      let all = LiveResults(repository.dogs)
      while !all.isLoaded { try await Task.sleep(for: .milliseconds(1)) }
      #expect(all[0].name == "Zoe")
      repository.close()
      #expect(all.count == 1 && all[0].name == "Zoe" && live.object?.name == "Zoe")
    }
  }

  @Test func whatCannotBeReadIsSaid() async throws {
    try await ObsRepository.forBoth { repository in
      let live = LiveResults(repository.dogs.filter("nope == 1"))
      while live.error == nil { try await Task.sleep(for: .milliseconds(1)) }
      #expect((live.error as? FiefError)?.code == .unknownProperty && live.isEmpty)
    }
  }
}
