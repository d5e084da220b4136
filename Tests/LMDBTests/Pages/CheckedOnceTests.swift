import TestEffort
import Testing

@testable import LMDB

/// Pages of large stores: their structure is checked once, however many commits copy the pages above them.
@Suite(.timeLimit(.minutes(20))) struct CheckedOnceTests {
  let scratch = Scratch()

  private func open() throws -> Environment {
    var options = EnvironmentOptions.small()
    options.wholeVerificationBytes = 0
    return try Environment.open(directory: scratch["store"], options: options)
  }

  private func make(_ count: Int) throws {
    let environment = try open()
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { transaction throws in
      for index in 0..<count {
        try transaction.put(items, "key \(index)", String(repeating: "v", count: 100))
      }
    }
    // Pages that are free when the store is opened.
    try environment.write { transaction throws in
      for index in 0..<count / 3 { try transaction.put(items, "key \(index)", "short") }
    }
  }

  private func readAll(_ environment: Environment, _ items: Database) throws -> Int {
    try environment.read { transaction throws in
      var count = 0
      try transaction.forEachRun(items) { run in
        count += run.count
        return true
      }
      for index in stride(from: 0, to: 3000, by: 50) { _ = try transaction.text(items, "key \(index)") }
      return count
    }
  }

  @Test func commitsHaveNoPageLookedAtTwice() throws {
    try make(6000)
    let environment = try open()
    defer { environment.close() }
    let items = try environment.database("items")
    let pages = try #require(environment.checkedPages)
    #expect(try readAll(environment, items) == 6000)
    let first = pages.lookedAt
    #expect(first > 100)
    for round in 0..<40 {
      try environment.write { transaction throws in
        try transaction.put(items, "key \(round % 4 * 1000)", String(repeating: "w", count: 90 + round % 10))
      }
      #expect(try readAll(environment, items) == 6000)
    }
    // Pages that were free are checked when commits have used them, and none beside them is again.
    #expect(pages.lookedAt - first <= 40 * 4, "\(first) \(pages.lookedAt)")
    #expect(UInt64(pages.lookedAt) <= pages.limit)
    #expect(!pages.isComplete)
  }

  /// Whatever a write takes away, the pages that LMDB merges with were checked.
  @Test(arguments: [1, 2, 3] as [UInt64]) func randomWritesPageByPage(seed: UInt64) throws {
    try make(3000)
    var generator = Generator(state: seed)
    var keys = Set((0..<3000).map { "key \($0)" })
    for round in 0..<TestEffort.count(3, more: 6) {
      let environment = try open()
      let items = try environment.database("items")
      for _ in 0..<4 {
        let start = Int.random(in: 0..<3000, using: &generator)
        let count = Int.random(in: 1...600, using: &generator)
        let deletes = Int.random(in: 0..<3, using: &generator) > 0
        try environment.write { transaction throws in
          for index in start..<start + count {
            let key = "key \(index % 3000)"
            if deletes {
              _ = try transaction.delete(items, key)
            } else {
              try transaction.put(items, key, String(repeating: "w", count: index % 200))
            }
          }
        }
        for index in start..<start + count {
          if deletes { keys.remove("key \(index % 3000)") } else { keys.insert("key \(index % 3000)") }
        }
      }
      #expect(try readAll(environment, items) == keys.count, "seed \(seed) round \(round)")
      environment.close()
      #expect(try StoreVerifier.verify(directory: scratch["store"]).entries == keys.count, "seed \(seed)")
    }
  }

  #if os(Linux)
    /// Pages that another process writes come from LMDB too.
    @Test func aWriterOfAnotherProcessIsFollowed() throws {
      let child = try Child("write-forever", scratch["store"])
      defer { child.killNow() }
      for _ in 0..<20 { _ = child.line() }
      let environment = try open()
      defer { environment.close() }
      let items = try environment.database("items")
      let pages = try #require(environment.checkedPages)
      for _ in 0..<20 {
        _ = child.line()
        #expect(try readAll(environment, items) % 20 == 0)
      }
      #expect(UInt64(pages.lookedAt) <= pages.limit)
    }
  #endif
}
