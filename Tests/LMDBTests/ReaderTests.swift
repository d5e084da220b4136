import Foundation
import LMDB
import TestEffort
import Testing

@Suite struct ReaderTests {
  let scratch = Scratch()

  private func open(_ options: EnvironmentOptions = .small()) throws -> (Environment, Database) {
    let environment = try Environment.open(directory: scratch["store"], options: options)
    let items = try environment.database("items")
    try environment.write { try $0.put(items, "a", "1") }
    return (environment, items)
  }

  @Test func everyUseAfterTheEndIsAnError() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    let reader = try environment.beginRead()
    let cursor = try reader.cursor(items)
    #expect(try cursor.first())
    environment.endRead(reader)
    environment.endRead(reader)
    #expect(code { _ = try reader.text(items, "a") } == .transactionEnded)
    #expect(code { _ = try reader.count(items) } == .transactionEnded)
    #expect(code { _ = try reader.cursor(items) } == .transactionEnded)
    #expect(code { _ = try reader.databaseNames() } == .transactionEnded)
    #expect(code { _ = try reader.database(named: "items") } == .transactionEnded)
    #expect(code { _ = try cursor.next() } == .transactionEnded)
    #expect(code { _ = try cursor.first() } == .transactionEnded)
    #expect(code { try cursor.delete() } == .transactionEnded)
    #expect(cursor.key.isEmpty && cursor.value.isEmpty)
    #expect(reader.id == 0)
  }

  /// The pool reuses the parts of a read; an object that was kept must stay ended.
  @Test func anEndedReaderDoesNotComeBackToLife() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    var kept: ReadTransaction?
    try environment.read { kept = $0 }
    try environment.read { transaction throws in
      #expect(transaction !== kept)
      #expect(code { _ = try kept?.text(items, "a") } == .transactionEnded)
      #expect(try transaction.text(items, "a") == "1")
    }
  }

  @Test func readersAreBounded() throws {
    var options = EnvironmentOptions.small()
    options.maxReaders = 5
    let (environment, items) = try open(options)
    defer { environment.close() }
    let limit = try environment.statistics().maxReaders
    var readers: [ReadTransaction] = []
    var failure: LMDBError.Code?
    while failure == nil, readers.count <= limit {
      failure = code { readers.append(try environment.beginRead()) }
    }
    #expect(failure == .readersFull)
    #expect(readers.count == limit)
    #expect(try readers.last?.text(items, "a") == "1")
    environment.endRead(readers.removeLast())
    #expect(try environment.read { try $0.text(items, "a") } == "1")
    for reader in readers { environment.endRead(reader) }
  }

  @Test func slotsOfAKilledProcessAreFreed() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    let child = try Child("hold-reader", scratch["store"])
    #expect(child.line()?.hasPrefix("reading") == true)
    #expect(environment.clearStaleReaders() == 0)
    for round in 0..<5 { try environment.write { try $0.put(items, "a", "\(round)") } }
    #expect(try environment.statistics().oldestReaderLag >= 5)
    child.killNow()
    #expect(environment.clearStaleReaders() == 1)
    #expect(try environment.statistics().oldestReaderLag == 0)
  }

  @Test func openingFreesTheSlotsOfAKilledProcess() throws {
    let child = try Child("hold-reader", scratch["store"])
    _ = child.line()
    child.killNow()
    let (environment, items) = try open()
    defer { environment.close() }
    for round in 0..<3 { try environment.write { try $0.put(items, "a", "\(round)") } }
    #expect(try environment.statistics().oldestReaderLag == 0)
  }

  @Test func writingFreesTheSlotsOfAKilledProcessInTime() throws {
    var options = EnvironmentOptions.small()
    options.staleReaderInterval = .zero
    let (environment, items) = try open(options)
    defer { environment.close() }
    let child = try Child("hold-reader", scratch["store"])
    _ = child.line()
    child.killNow()
    for round in 0..<3 { try environment.write { try $0.put(items, "a", "\(round)") } }
    #expect(try environment.statistics().oldestReaderLag == 0)
  }

  /// The pages that a dead process's snapshot kept are all the space there is.
  @Test func aFullMapIsClearedOfDeadReaders() throws {
    var options = EnvironmentOptions.small(512 << 10)
    options.maximumMapSize = 512 << 10
    let (environment, items) = try open(options)
    defer { environment.close() }
    let child = try Child("hold-reader", scratch["store"])
    _ = child.line()
    child.killNow()
    for round in 0..<TestEffort.count(60, more: 200) {
      try environment.write { transaction in
        for part in 0..<30 {
          try transaction.put(items, "\(part)", String(repeating: "\(round)", count: 300))
        }
      }
    }
    #expect(try environment.statistics().mapSize == 512 << 10)
    #expect(try environment.statistics().oldestReaderLag == 0)
  }

  @Test func aFullTableIsClearedOfDeadReaders() throws {
    var options = EnvironmentOptions.small()
    options.maxReaders = 5
    let (environment, items) = try open(options)
    defer { environment.close() }
    let limit = try environment.statistics().maxReaders
    // Children take every slot that this process does not hold, and die.
    let children = try (1..<limit).map { _ in try Child("hold-reader", scratch["store"]) }
    for child in children { _ = child.line() }
    for child in children { child.killNow() }
    let readers = try (0..<limit).map { _ in try environment.beginRead() }
    #expect(try readers.last?.text(items, "a") == "1")
    for reader in readers { environment.endRead(reader) }
  }

  @Test func aReaderMayEndOnAnotherThread() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    let reader = Smuggled(try environment.beginRead())
    onThreads(1) { _ throws in
      #expect(try reader.value.text(items, "a") == "1")
      environment.endRead(reader.value)
    }
    try environment.write { try $0.put(items, "a", "2") }
    #expect(try environment.read { try $0.text(items, "a") } == "2")
  }

  @Test func aSnapshotStaysAsItIs() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    try environment.read { outer in
      try environment.write { try $0.put(items, "a", "2") }
      #expect(try outer.text(items, "a") == "1")
      try environment.read { inner throws in #expect(try inner.text(items, "a") == "2") }
    }
  }

  @Test func findsDatabasesOfAnotherProcess() throws {
    let (environment, _) = try open()
    defer { environment.close() }
    #expect(try environment.read { try $0.database(named: "other") } == nil)
    let child = try Child("create-database", scratch["store"], "other")
    #expect(child.finish() == ["created"])
    try environment.read { transaction throws in
      let other = try #require(try transaction.database(named: "other"))
      #expect(try transaction.text(other, "key") == "value")
      #expect(try transaction.database(named: "missing") == nil)
      #expect(try transaction.databaseNames() == ["items", "other"])
    }
  }

  @Test func errorsOfTheBodyPass() throws {
    struct Mine: Error {}
    let (environment, _) = try open()
    defer { environment.close() }
    #expect(throws: Mine.self) { try environment.read { _ in throw Mine() } }
    #expect(try environment.read { $0.id } > 0)
  }
}
