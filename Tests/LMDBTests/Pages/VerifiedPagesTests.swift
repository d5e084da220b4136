import TestEffort
import Testing

@testable import LMDB

/// Notes about pages: a page that is noted has the values that it had when it was noted.
@Suite(.timeLimit(.minutes(20))) struct VerifiedPagesTests {
  let scratch = Scratch()

  /// Goes along all pages of a tree: what is noted has the contents that it had then; all else is noted now.
  ///
  /// - Returns: the number of pages, and the number of them that were noted already.
  private func look(
    _ environment: Environment,
    _ items: Database,
    _ contents: inout [UInt: UInt64],
    _ comment: Comment
  ) throws -> (pages: Int, noted: Int) {
    try environment.read { transaction throws in
      var (pages, noted) = (0, 0)
      var notes: VerifiedPages?
      try transaction.forEachRun(items) { run in
        let start = try #require(run.pageStart)
        if notes == nil { notes = transaction.notedPages() }
        let found = try #require(notes)
        let hash = StableHash.hash(UnsafeRawBufferPointer(start: start, count: 4096))
        pages += 1
        if found.contains(start) {
          noted += 1
          #expect(contents[UInt(bitPattern: start)] == hash, comment)
        } else {
          found.note(start)
          contents[UInt(bitPattern: start)] = hash
        }
        return true
      }
      return (pages, noted)
    }
  }

  private func fill(_ environment: Environment, _ items: Database, _ count: Int) throws {
    try environment.write { transaction throws in
      for index in 0..<count {
        try transaction.put(items, "key \(index)", String(repeating: "v", count: 100))
      }
    }
  }

  @Test func notesOutliveCommitsOfOtherPages() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small(8 << 20))
    defer { environment.close() }
    let items = try environment.database("items")
    try fill(environment, items, 3000)
    var contents: [UInt: UInt64] = [:]
    let first = try look(environment, items, &contents, "")
    #expect(first.pages > 80 && first.noted == 0)
    #expect(try look(environment, items, &contents, "").noted == first.pages)
    // No reader looks between these commits.
    for round in 0..<30 {
      try environment.write { transaction throws in
        try transaction.put(items, "key 77", String(repeating: "w", count: 90 + round))
      }
    }
    let last = try look(environment, items, &contents, "")
    #expect(last.pages - last.noted <= 2, "\(last)")
    #expect(last.noted > 70)
  }

  @Test func nothingIsNotedInAWriteAndInMemory() throws {
    var options = EnvironmentOptions.small()
    options.durability = .none
    let environment = try Environment.open(directory: scratch["store"], options: options)
    defer { environment.close() }
    let items = try environment.database("items")
    try fill(environment, items, 100)
    try environment.read { transaction throws in
      _ = try transaction.text(items, "key 1")
      #expect(transaction.notedPages() == nil)
      #expect(!transaction.outlivesProcess)
    }
    try environment.write { #expect($0.notedPages() == nil) }
  }

  @Test(arguments: TestEffort.first(1, of: [1, 2, 3] as [UInt64]))
  func whatIsNotedIsAsItWas(seed: UInt64) throws {
    var generator = Generator(state: seed)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    try fill(environment, items, 1000)
    var contents: [UInt: UInt64] = [:]
    for round in 0..<150 {
      for _ in 0..<Int.random(in: 0..<4, using: &generator) {
        let start = Int.random(in: 0..<1500, using: &generator)
        let count = Int.random(in: 1...(round % 10 == 0 ? 500 : 8), using: &generator)
        let kind = Int.random(in: 0..<3, using: &generator)
        try environment.write { transaction throws in
          for index in start..<start + count {
            if kind == 0 {
              _ = try transaction.delete(items, "key \(index)")
            } else {
              let length = index % 90 == 0 ? 9000 : (index * round) % 200
              try transaction.put(items, "key \(index)", String(repeating: "\(round % 10)", count: length))
            }
          }
        }
      }
      // The map moves when it grows, and all notes go.
      if environment.knownNotes == nil { contents = [:] }
      _ = try look(environment, items, &contents, "seed \(seed) round \(round)")
    }
  }

  #if os(Linux)
    @Test func commitsOfOtherProcessesCount() throws {
      let child = try Child("write-forever", scratch["store"])
      defer { child.killNow() }
      _ = child.line()
      let environment = try Environment.open(directory: scratch["store"], options: .small(64 << 20))
      defer { environment.close() }
      let items = try environment.database("items")
      var contents: [UInt: UInt64] = [:]
      for round in 0..<40 {
        if round % 3 == 0 { _ = child.line() }
        if round % 7 == 0 {
          try environment.write {
            try $0.put(items, "own \(round % 5)", String(repeating: "o", count: round))
          }
        }
        _ = try look(environment, items, &contents, "round \(round)")
      }
    }
  #endif
}
