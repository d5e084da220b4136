import LMDB
import TestEffort
import Testing

@Suite struct TransactionTests {
  let scratch = Scratch()

  @Test func readsWhatWasWritten() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let dogs = try environment.database("dogs")
    try environment.write { transaction throws in
      try transaction.put(dogs, "rex", "3")
      try transaction.put(dogs, "ada", "5")
    }
    try environment.read { transaction throws in
      #expect(try transaction.text(dogs, "rex") == "3")
      #expect(try transaction.text(dogs, "bob") == nil)
      #expect(try transaction.count(dogs) == 2)
      #expect(try transaction.databaseNames() == ["dogs"])
      let cursor = try transaction.cursor(dogs)
      #expect(try cursor.first())
      #expect(cursor.key.elementsEqual("ada".utf8))
      #expect(try cursor.next())
      #expect(try !cursor.next())
    }
  }

  @Test func growsWhileReadersComeAndGo() async throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small(64 << 10))
    defer { environment.close() }
    let items = try environment.database("items")
    let value = String(repeating: "v", count: 1000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<3 {
        group.addTask {
          for round in 0..<TestEffort.count(500, more: 2_000) {
            try environment.read { transaction throws in
              let count = try transaction.count(items)
              guard count > 0 else { return }
              let key = "\((reader * 7919 + round) % count)"
              #expect(try transaction.text(items, key) == value, "key \(key) of \(count)")
            }
          }
        }
      }
      group.addTask {
        for batch in 0..<100 {
          try environment.write { transaction throws in
            for index in 0..<50 { try transaction.put(items, "\(batch * 50 + index)", value) }
          }
        }
      }
      try await group.waitForAll()
    }
    let statistics = try environment.statistics()
    #expect(statistics.mapSize >= 5_000_000)
    #expect(try environment.read { try $0.count(items) } == 5000)
  }
}
