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

  /// A reader counts its snapshot, whether or not it has used the tree. A write counts its own changes.
  @Test(arguments: [false, true]) func countsBelongToTheirTransaction(usesTree: Bool) throws {
    struct Undone: Error {}
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    func readCount() throws -> Int {
      try environment.read { transaction throws in
        if usesTree { #expect(try transaction.text(items, "0") == "value") }
        return try transaction.count(items)
      }
    }
    try environment.write { transaction throws in
      #expect(try transaction.count(items) == 0)
      for index in 0..<1000 { try transaction.put(items, "\(index)", "value") }
      #expect(try transaction.count(items) == 1000)
    }
    // The second read begins with the trees that the first one has used.
    for _ in 0..<2 { #expect(try readCount() == 1000) }
    let reader = try environment.beginRead()
    if usesTree { #expect(try reader.count(items) == 1000) }
    try environment.write { transaction throws in
      #expect(try transaction.delete(items, "999"))
      #expect(try transaction.count(items) == 999)
      try transaction.nested { inner throws in
        try inner.put(items, "more", "value")
        try inner.put(items, "most", "value")
        #expect(try inner.count(items) == 1001)
      }
      #expect(try transaction.count(items) == 1001)
      #expect(throws: Undone.self) {
        try transaction.nested { inner throws in
          try inner.removeAll(items)
          #expect(try inner.count(items) == 0)
          throw Undone()
        }
      }
      #expect(try transaction.count(items) == 1001)
      #expect(try readCount() == 1000)
    }
    #expect(try reader.count(items) == 1000)
    environment.endRead(reader)
    #expect(code { _ = try reader.count(items) } == .transactionEnded)
    #expect(try readCount() == 1001)
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
