import LMDB
import Testing

/// Threads that would wait for themselves or for each other.
@Suite(.timeLimit(.minutes(20))) struct WaitingTests {
  let scratch = Scratch()

  /// Waiting would end with this test's time limit.
  private func open() throws -> (Environment, Database) {
    var options = EnvironmentOptions.small(64 << 10)
    options.growthTimeout = .seconds(3600)
    let environment = try Environment.open(directory: scratch["store"], options: options)
    return (environment, try environment.database("items"))
  }

  private func fill(_ environment: Environment, _ items: Database) throws {
    try environment.write { transaction throws in
      for index in 0..<500 { try transaction.put(items, "fill\(index)", String(repeating: "v", count: 1000)) }
    }
  }

  @Test func growthInsideOfAReadOfTheSameThreadIsAnErrorAtOnce() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    try environment.read { reader throws in
      #expect(code { try fill(environment, items) } == .readersBlockGrowth)
      #expect(code { try environment.reserveMap(1 << 20) } == .readersBlockGrowth)
      #expect(try reader.count(items) == 0)
      // A value that fits needs no growth.
      try environment.write { try $0.put(items, "a", "1") }
    }
    try fill(environment, items)
    #expect(try environment.read { try $0.count(items) } == 501)
  }

  @Test func aReaderThatOpensADatabaseDoesNotHoldUpGrowth() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    let child = try Child("create-database", scratch["store"], "other")
    #expect(child.finish() == ["created"])
    let (isWriting, isReading) = (Flag(), Flag())
    onThreads(2) { index in
      if index == 0 {
        try environment.write { transaction throws in
          isWriting.set()
          isReading.wait()
          for index in 0..<500 { try transaction.put(items, "\(index)", String(repeating: "v", count: 1000)) }
        }
      } else {
        isWriting.wait()
        let found = code {
          try environment.read { reader throws in
            isReading.set()
            let other = try #require(try reader.database(named: "other"))
            #expect(try reader.count(other) == 1)
          }
        }
        // A commit may have come between, or not.
        #expect(found == nil || found == .incompatible)
      }
    }
    let other = try #require(try environment.openDatabase(named: "other"))
    #expect(try environment.read { try $0.text(other, "key") } == "value")
    #expect(try environment.read { try $0.count(items) } == 500)
  }

  @Test func aHeldWriteEndsOnItsThreadOnly() throws {
    final class Box { var held: ParticipantWrite? }
    let (environment, items) = try open()
    defer { environment.close() }
    let box = Smuggled(Box())
    box.value.held = try environment.beginWrite()
    if let held = box.value.held { try held.transaction.put(items, "a", "1") }
    onThreads(1) { _ in
      #expect(code { _ = try box.value.held?.commit() } == .incompatible)
      #expect(code { try box.value.held?.abortAndGrow() } == .incompatible)
      box.value.held?.abort()
      #expect(box.value.held?.abortReportingFailure() == nil)
      box.value.held = nil
    }
    // The held write ends, with nothing kept, when its thread writes.
    try environment.write { try $0.put(items, "b", "2") }
    #expect(try environment.read { try $0.text(items, "a") } == nil)
    onThreads(1) { _ in try environment.write { try $0.put(items, "c", "3") } }
    let child = try Child("commit", scratch["store"], "1")
    #expect(child.finish().count == 1 && child.end == .exited(0))
    #expect(try environment.read { try $0.count(items) } == 3)
  }
}
