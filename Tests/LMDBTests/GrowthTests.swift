import Foundation
import LMDB
import TestEffort
import Testing

@Suite struct GrowthTests {
  let scratch = Scratch()
  struct Mine: Error {}

  private func open(_ options: EnvironmentOptions) throws -> (Environment, Database) {
    let environment = try Environment.open(directory: scratch["store"], options: options)
    return (environment, try environment.database("items"))
  }

  private func fill(_ transaction: WritableTransaction, _ items: Database, _ kilobytes: Int) throws {
    let value = String(repeating: "v", count: 1000)
    for index in 0..<kilobytes { try transaction.put(items, "fill\(index)", value) }
  }

  @Test func growsUnderLoadWithActiveReaders() throws {
    // The map begins with 64 KiB, and is outgrown again and again.
    let batches = TestEffort.count(24, more: 60)
    let (environment, items) = try open(.small(64 << 10))
    defer { environment.close() }
    let value = String(repeating: "v", count: 1000)
    let isDone = Flag()
    onThreads(4) { index in
      if index == 0 {
        defer { isDone.set() }
        for batch in 0..<batches {
          try environment.write { transaction throws in
            for part in 0..<100 { try transaction.put(items, "\(batch * 100 + part)", value) }
          }
        }
        return
      }
      while !isDone.isSet {
        try environment.read { transaction in
          let cursor = try transaction.cursor(items)
          var count = 0
          while try cursor.next() {
            if cursor.value.count != 1000 { throw Mine() }
            count += 1
          }
          // A read inside a read must not wait for the growth that waits for it.
          try environment.read { inner in
            if try inner.count(items) < count { throw Mine() }
          }
          if count % 100 != 0 { throw Mine() }
        }
      }
    }
    #expect(try environment.read { try $0.count(items) } == batches * 100)
    #expect(try environment.statistics().mapSize >= batches * 100_000)
  }

  @Test func theBodyRunsAgainEvenWhenItSwallowedTheFailure() throws {
    let (environment, items) = try open(.small(64 << 10))
    defer { environment.close() }
    var runs = 0
    try environment.write { transaction throws in
      runs += 1
      for index in 0..<500 {
        try? transaction.put(items, "\(index)", String(repeating: "v", count: 1000))
      }
    }
    #expect(runs > 1)
    #expect(try environment.read { try $0.count(items) } == 500)
    let before = runs
    try environment.write { transaction throws in
      runs += 1
      try? transaction.nested { try fill($0, items, 2000) }
    }
    #expect(runs > before + 1)
    #expect(try environment.read { try $0.count(items) } == 2500)
  }

  @Test func aBodyThatThrowsAfterTheMapWasFullRunsAgain() throws {
    let (environment, items) = try open(.small(64 << 10))
    defer { environment.close() }
    var runs = 0
    try environment.write { transaction throws in
      runs += 1
      do { try fill(transaction, items, 300) } catch { throw Mine() }
    }
    #expect(runs > 1)
    #expect(try environment.read { try $0.count(items) } == 300)
  }

  @Test func theMapGrowsBeforeItIsFullWhileNobodyReads() throws {
    let (environment, items) = try open(.small(1 << 20))
    defer { environment.close() }
    let value = String(repeating: "v", count: 1000)
    var runs = 0
    for batch in 0..<300 {
      try environment.write { transaction throws in
        runs += 1
        for index in 0..<10 { try transaction.put(items, "\(batch) \(index)", value) }
      }
    }
    #expect(runs == 300)
    // So a write inside of a read has room.
    try environment.read { reader in
      try environment.write { try fill($0, items, 100) }
      #expect(try reader.count(items) == 3000)
    }
    #expect(try environment.read { try $0.count(items) } == 3100)
    #expect(try environment.statistics().mapSize >= 4 << 20)
  }

  @Test func aReopenedStoreHasRoomForAsMuchAgain() throws {
    let (environment, items) = try open(.small())
    try environment.write { try fill($0, items, 4000) }
    environment.close()
    let (again, same) = try open(.small(64 << 10))
    defer { again.close() }
    try again.read { reader in
      try again.write { transaction throws in
        for index in 0..<3000 {
          try transaction.put(same, "more\(index)", String(repeating: "v", count: 1000))
        }
      }
      #expect(try reader.count(same) == 4000)
    }
    #expect(try again.read { try $0.count(same) } == 7000)
  }

  @Test func growthStopsAtTheMaximum() throws {
    var options = EnvironmentOptions.small(64 << 10)
    options.maximumMapSize = 256 << 10
    let (environment, items) = try open(options)
    defer { environment.close() }
    try environment.write { try fill($0, items, 50) }
    #expect(code { try environment.write { try fill($0, items, 5000) } } == .mapFull)
    #expect(try environment.read { try $0.count(items) } == 50)
    try environment.write { try $0.removeAll(items) }
    try environment.write { try fill($0, items, 20) }
    #expect(try environment.read { try $0.count(items) } == 20)
    #expect(try environment.statistics().mapSize == 256 << 10)
  }

  @Test func aReaderThatDoesNotEndKeepsTheMapFromMoving() throws {
    var options = EnvironmentOptions.small(64 << 10)
    options.growthTimeout = .milliseconds(50)
    let (environment, items) = try open(options)
    defer { environment.close() }
    try environment.write { try $0.put(items, "a", "1") }
    let reader = try environment.beginRead()
    #expect(code { try environment.write { try fill($0, items, 500) } } == .readersBlockGrowth)
    #expect(try reader.text(items, "a") == "1")
    // Small writes and new readers go on.
    try environment.write { try $0.put(items, "b", "2") }
    #expect(try environment.read { try $0.count(items) } == 2)
    environment.endRead(reader)
    try environment.write { try fill($0, items, 500) }
    #expect(try environment.read { try $0.count(items) } == 502)
  }

  @Test func followsTheGrowthOfAnotherProcess() throws {
    let (environment, items) = try open(.small(256 << 10))
    defer { environment.close() }
    for round in 1...3 {
      let child = try Child("grow", scratch["store"], "\(2000 * round)")
      _ = child.finish()
      #expect(child.end == .exited(0))
      if round == 2 {
        try environment.write { try $0.put(items, "own", "1") }
      }
      let expected = 2000 * round + (round >= 2 ? 1 : 0)
      #expect(try environment.read { try $0.count(items) } == expected)
    }
    #expect(try environment.statistics().mapSize >= 6 << 20)
  }

  @Test func readersOfManyThreadsFollowTheGrowthOfAnotherProcess() throws {
    let (environment, items) = try open(.small(256 << 10))
    defer { environment.close() }
    let path = scratch["store"]
    let isDone = Flag()
    onThreads(4) { index in
      if index == 0 {
        defer { isDone.set() }
        let child = try Child("grow", path, "4000")
        _ = child.finish()
      } else {
        while !isDone.isSet { try environment.read { _ = try $0.count(items) } }
      }
    }
    #expect(try environment.read { try $0.count(items) } == 4000)
  }

  @Test func processesThatMakeAStoreTogetherAgree() throws {
    let children = try (0..<6).map { try Child("create-database", scratch["store"], "own\($0)") }
    for child in children {
      #expect(child.finish() == ["created"])
      #expect(child.end == .exited(0))
    }
    let (environment, _) = try open(.small())
    defer { environment.close() }
    #expect(
      try environment.read { try $0.databaseNames() } == ["items"] + (0..<6).map { "own\($0)" }
    )
  }

  @Test func aStoreLargerThanTheMapOpens() throws {
    let (environment, items) = try open(.small())
    try environment.write { try fill($0, items, 4000) }
    environment.close()
    let (again, same) = try open(.small(64 << 10))
    defer { again.close() }
    #expect(try again.read { try $0.count(same) } == 4000)
    try again.write { try fill($0, same, 6000) }
    #expect(try again.read { try $0.count(same) } == 6000)
  }

  @Test func tooMuchAddressSpaceIsHalved() throws {
    var options = EnvironmentOptions()
    options.mapSize = 1 << 50
    options.maximumMapSize = 1 << 52
    let (environment, items) = try open(options)
    defer { environment.close() }
    try environment.write { try $0.put(items, "a", "1") }
    let size = try environment.statistics().mapSize
    #expect(size < 1 << 50 && size > 1 << 30)
  }

  @Test func droppingWaitsForReadersAndIsUndoneByAThrow() throws {
    var options = EnvironmentOptions.small()
    options.growthTimeout = .milliseconds(50)
    let (environment, items) = try open(options)
    defer { environment.close() }
    let other = try environment.database("other")
    try environment.write { transaction throws in
      try transaction.put(items, "a", "1")
      try transaction.put(other, "b", "2")
    }
    #expect(throws: Mine.self) {
      try environment.write { transaction throws in
        try transaction.drop(other)
        throw Mine()
      }
    }
    #expect(try environment.read { try $0.text(other, "b") } == "2")
    try environment.write { transaction throws in
      _ = try? transaction.nested { inner throws in
        try inner.drop(other)
        throw Mine()
      }
      #expect(try transaction.text(other, "b") == "2")
    }
    let reader = try environment.beginRead()
    #expect(code { try environment.write { try $0.drop(other) } } == .readersBlockGrowth)
    #expect(try reader.text(other, "b") == "2")
    environment.endRead(reader)
    #expect(try environment.read { try $0.text(other, "b") } == "2")
    try environment.write { transaction throws in
      try transaction.drop(other)
      #expect(try transaction.database(named: "other") == nil)
    }
    #expect(code { _ = try environment.read { try $0.count(other) } } == .notFound)
    #expect(try environment.read { try $0.databaseNames() } == ["items"])
    let again = try environment.database("other")
    #expect(try environment.read { try $0.count(again) } == 0)
    #expect(try environment.read { try $0.text(items, "a") } == "1")
    #expect(code { _ = try environment.read { try $0.count(other) } } == .notFound)
    // Dropped and made again in one write: empty, and the handle lives on.
    try environment.write { try $0.put(again, "c", "3") }
    try environment.write { transaction throws in
      try transaction.drop(again)
      #expect(try transaction.openDatabase(named: "other") == again)
    }
    #expect(try environment.read { try $0.count(again) } == 0)
  }
}
