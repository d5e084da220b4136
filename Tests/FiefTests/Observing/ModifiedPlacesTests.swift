import Fief
import FiefTesting
import Foundation
import Testing

/// The places of modifications, before the change and after it.
@Suite(.timeLimit(.minutes(20))) struct ModifiedPlacesTests {
  @Test("a modification has its place before the change, and the place after it by name")
  func places() async throws {
    try await ObsRepository.forBoth { repository in
      try repository.put((1...3).map { ObsDog($0, "dog", age: $0) })
      let changes = repository.dogs.sorted(byKeyPath: "age").changes().makeAsyncIterator()
      guard case .initial? = try await changes.next() else { throw Unexpected() }
      try repository.writeNow(silent: []) { transaction in
        try transaction.add(ObsDog(0, "dog", age: 0))
        try transaction.object(ofType: ObsDog.self, forPrimaryKey: 3)?.name = "Rex"
      }
      let change = try #require(try await changes.next())
      guard case .update(let dogs, let deletions, let insertions, let modifications) = change else {
        throw Unexpected()
      }
      #expect(deletions == [] && insertions == [0] && modifications == [2] && change.newModifications == [3])
      #expect(dogs[change.newModifications[0]]?.name == "Rex")
    }
  }

  @Test("sections have both places too") func sections() throws {
    try ObsRepository.forBoth { repository in
      try repository.put((1...6).map { ObsDog($0, $0 < 4 ? "b" : "c", age: $0) })
      let calls = Lock<[String]>([])
      let sections = repository.dogs.sorted(byKeyPath: "age").sectioned(by: \.name)
      let tokens = [
        sections.observe { change in
          guard case .update(_, _, _, let modifications, _, _) = change else { return }
          let new = change.newModifications
          calls.withLock { $0.append("all \(modifications.map(Array.init)) \(new.map(Array.init))") }
        },
        try #require(sections[1]).observe { change in
          guard case .update(_, _, _, let modifications, _, _) = change else { return }
          let new = change.newModifications
          calls.withLock { $0.append("one \(modifications.map(Array.init)) \(new.map(Array.init))") }
        },
      ]
      try repository.delivered()
      try repository.write { transaction in
        // A new first section, a new first row in the last one, whose second row is deleted.
        try transaction.add(ObsDog(10, "a", age: 10))
        try transaction.add(ObsDog(0, "c", age: 0))
        try transaction.object(ofType: ObsDog.self, forPrimaryKey: 5).map { try transaction.delete($0) }
        try transaction.object(ofType: ObsDog.self, forPrimaryKey: 6)?.age = 7
      }
      try repository.delivered()
      #expect(calls.withLock { $0.sorted() } == ["all [[1, 2]] [[2, 2]]", "one [[1, 2]] [[2, 2]]"])
      for token in tokens { token.invalidate() }
    }
  }

  private struct Unexpected: Error {}
}
