import LMDB
import Testing

/// A cursor that passes entries whose sealed values are damaged.
@Suite struct DamagedEntryTests {
  let scratch = Scratch()
  private let keys = (100..<400).map { "\($0)" }

  private func value(_ key: String) -> String { String(repeating: key, count: 20) }

  /// Makes a tree of several pages, and damages values without the key.
  private func open(damaging damaged: Set<String>) throws -> Environment {
    let environment = try Environment.openSealed(scratch["store"])
    let items = try #require(try environment.openDatabases(["items"], create: true)[0])
    try environment.write { transaction throws in
      for key in keys { try transaction.put(items, key, value(key)) }
    }
    environment.close()
    let raw = try Environment.open(directory: scratch["store"], options: .small())
    let tree = try raw.database("items")
    try raw.write { transaction throws in
      for key in damaged { try transaction.put(tree, key, "neither long nor sealed, but damaged") }
    }
    raw.close()
    return try Environment.openSealed(scratch["store"])
  }

  /// Each page has a damaged value, the first one, the last one or none.
  @Test(arguments: [[], ["100"], ["399"], ["100", "399"], ["107", "108", "250"]] as [Set<String>])
  func keysAreReadAndOtherValuesToo(damaged: Set<String>) throws {
    let environment = try open(damaging: damaged)
    defer { environment.close() }
    let items = try environment.database("items")
    var (found, broken): ([String], Set<String>) = ([], [])
    try environment.read { transaction in
      let cursor = try transaction.cursor(items)
      while try cursor.nextKey() {
        let key = String(decoding: cursor.key, as: UTF8.self)
        found.append(key)
        #expect(cursor.value.isEmpty)
        if code({ _ = try cursor.readValue() }) == .damaged {
          broken.insert(key)
          transaction.acknowledgeDamage()
        } else {
          #expect(String(decoding: cursor.value, as: UTF8.self) == value(key))
        }
      }
      #expect(try !cursor.nextKey())
    }
    #expect(found == keys && broken == damaged)
    // From a key in between, whether or not it is there.
    for start in ["", "100", "1075", "108", "399", "4"] {
      try environment.read { transaction in
        let cursor = try transaction.cursor(items)
        var rest: [String] = []
        var isThere = try bytes(start) { try cursor.seekKey(atOrAfter: $0) }
        while isThere {
          rest.append(String(decoding: cursor.key, as: UTF8.self))
          isThere = try cursor.nextKey()
        }
        #expect(rest == keys.filter { $0 >= start }, "\(start)")
        transaction.acknowledgeDamage()
      }
    }
  }

  @Test func aReadThatDoesNotAcknowledgeTheDamageFails() throws {
    let environment = try open(damaging: ["200"])
    defer { environment.close() }
    let items = try environment.database("items")
    let error = code {
      try environment.read { transaction in
        let cursor = try transaction.cursor(items)
        while try cursor.nextKey() { _ = try? cursor.readValue() }
      }
    }
    #expect(error == .damaged)
  }

  @Test func treesInClearAndWritesReadTheSameEntries() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let trees = try environment.openDatabases(["items", "none"], create: true)
    let (items, none) = (try #require(trees[0]), try #require(trees[1]))
    try environment.write { transaction throws in
      for key in keys { try transaction.put(items, key, value(key)) }
    }
    func walk(_ tree: Database, _ transaction: Transaction) throws -> [String] {
      let cursor = try transaction.cursor(tree)
      var found: [String] = []
      while try cursor.nextKey() {
        let key = String(decoding: cursor.key, as: UTF8.self)
        #expect(String(decoding: try cursor.readValue(), as: UTF8.self) == value(key))
        found.append(key)
      }
      return found
    }
    #expect(try environment.read { try walk(items, $0) } == keys)
    #expect(try environment.read { try walk(none, $0) } == [])
    #expect(try environment.write { try walk(items, $0) } == keys)
    #expect(try environment.write { try walk(none, $0) } == [])
  }

  @Test func aRangeDoesNotReadTheValueBehindIt() throws {
    let long = String(repeating: "long", count: 2_000)
    let environment = try Environment.openSealed(scratch["store"])
    let items = try environment.database("items")
    try environment.write { transaction throws in
      for key in ["a", "b"] { try transaction.put(items, key, long) }
    }
    environment.close()
    let raw = try Environment.open(directory: scratch["store"], options: .small())
    let tree = try raw.database("items")
    try raw.write { try $0.put(tree, "b", long) }
    raw.close()
    let again = try Environment.openSealed(scratch["store"])
    defer { again.close() }
    let found = try again.database("items")
    for isBackward in [false, true] {
      try again.read { transaction in
        try bytes("a") { start in
          try bytes("b") { end in
            var range = try RangeCursor(transaction, found, from: start, to: end)
            let first = try isBackward ? range.previous() : range.next()
            let run = try #require(first)
            #expect(run.count == 1 && String(decoding: run.value(0), as: UTF8.self) == long)
            let rest = try isBackward ? range.previous() : range.next()
            #expect(rest.map(\.count) == nil)
          }
        }
      }
    }
    #expect(code { try again.read { _ = try $0.text(found, "b") } } == .damaged)
  }
}
