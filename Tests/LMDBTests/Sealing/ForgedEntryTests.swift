import LMDB
import TestEffort
import Testing

/// Entries that were forged to lead to a value that is open already: it counts for the tree and the key that it was authenticated with only.
@Suite struct ForgedEntryTests {
  let scratch = Scratch()
  private let long = String(repeating: "a", count: 10_000)

  /// A way of reading the value of a key.
  enum Way: CaseIterable {
    case get, batch, cursor, run, write, cursorOfWrite, writeCursor

    func text(_ key: String, in tree: String, of environment: Environment) throws -> String? {
      let tree = try environment.database(tree)
      func text(_ value: UnsafeRawBufferPointer?) -> String? {
        value.map { String(decoding: $0, as: UTF8.self) }
      }
      func find(_ transaction: Transaction) throws -> String? {
        try bytes(key) { key in
          let cursor = try transaction.cursor(tree)
          return try cursor.seek(exactly: key) ? text(cursor.value) : nil
        }
      }
      switch self {
      case .get: return try environment.read { try $0.text(tree, key) }
      case .batch:
        return try environment.read { transaction in
          try bytes(key) { key in
            var batch = LookUpBatch(in: transaction)
            batch.append(key)
            try batch.prepare(tree)
            return text(try batch.value(0, in: tree))
          }
        }
      case .cursor: return try environment.read { try find($0) }
      case .run:
        return try environment.read { transaction in
          try bytes(key) { key in
            var range = try RangeCursor(transaction, tree, from: key, to: nil, atMost: 1)
            guard let run = try range.next(), run.key(0).elementsEqual(key) else { return nil }
            return text(run.value(0))
          }
        }
      case .write: return try environment.write { try $0.text(tree, key) }
      case .cursorOfWrite: return try environment.write { try find($0) }
      case .writeCursor:
        return try environment.write { transaction throws in
          try bytes(key) { text(try transaction.writeCursor(tree).get($0)) }
        }
      }
    }
  }

  /// Makes a store, forges its file, and opens it without a check of its pages.
  private func open(
    _ trees: [String: [String: String]],
    _ forge: (inout StoreFile) throws -> Void
  ) throws -> Environment {
    let environment = try Environment.openSealed(scratch["store"])
    let databases = try environment.openDatabases(trees.keys.sorted(), create: true)
    try environment.write { transaction throws in
      for (tree, database) in zip(trees.keys.sorted(), databases) {
        let database = try #require(database)
        for (key, value) in trees[tree] ?? [:] { try transaction.put(database, key, value) }
      }
    }
    environment.close()
    var file = try StoreFile(scratch["store"])
    try forge(&file)
    try file.write()
    var options = EnvironmentOptions.small()
    options.verification = .quick
    return try Environment.openSealed(scratch["store"], options)
  }

  /// Opens all pages of a tree that open.
  private func scan(_ tree: String, of environment: Environment) throws {
    let tree = try environment.database(tree)
    try environment.read { try $0.forEachRun(tree) { _ in true } }
  }

  /// In the short form each way is the first one with three others, and the second one with three.
  private static let ways: [(first: Way, second: Way)] = Way.allCases.indices.flatMap { index in
    let count = Way.allCases.count
    let distances = TestEffort.isLong ? Array(0..<count) : [0, 1, 3]
    return distances.map { (Way.allCases[index], Way.allCases[(index + $0) % count]) }
  }

  @Test("a second entry that leads to the pages of a long value", arguments: ways)
  func secondEntry(first: Way, second: Way) throws {
    let environment = try open(["items": ["a": long, "b": String(repeating: "b", count: 10_000)]]) {
      try $0.setLongValue(of: "b", toThatOf: "a", in: "items")
    }
    defer { environment.close() }
    for _ in 0..<3 {
      #expect(code { _ = try second.text("b", in: "items", of: environment) } == .damaged)
      #expect(try first.text("a", in: "items", of: environment) == long)
      #expect(try second.text("a", in: "items", of: environment) == long)
    }
    #expect(throws: LMDBError.self) { try environment.verify() }
  }

  @Test("a second entry in the same write, which has opened the first one")
  func sameWrite() throws {
    let environment = try open(["items": ["a": long, "b": String(repeating: "b", count: 10_000)]]) {
      try $0.setLongValue(of: "b", toThatOf: "a", in: "items")
    }
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { transaction throws in
      for _ in 0..<3 {
        #expect(try transaction.text(items, "a") == long)
        #expect(code { _ = try transaction.text(items, "b") } == .damaged)
      }
    }
    #expect(throws: LMDBError.self) { try environment.verify() }
  }

  @Test("a tree that has the pages of another one", arguments: Way.allCases)
  func pagesOfAnotherTree(way: Way) throws {
    let keys = ["a", "b", "long"]
    func values(_ tree: String) -> [String: String] { ["a": tree, "b": tree, "long": tree + long] }
    let environment = try open(["items": values("items"), "other": values("other")]) {
      try $0.setPages(of: "other", toThoseOf: "items")
    }
    defer { environment.close() }
    try scan("items", of: environment)
    for _ in 0..<3 {
      for key in keys {
        #expect(code { _ = try way.text(key, in: "other", of: environment) } == .damaged)
        #expect(try way.text(key, in: "items", of: environment) == values("items")[key])
      }
    }
    #expect(throws: LMDBError.self) { try environment.verify() }
  }

  @Test("an entry that gets another key, in a page that is open", arguments: Way.allCases)
  func renamedInPlace(way: Way) throws {
    let environment = try open(["items": ["a": "text of a", "c": "text of c", "e": long]]) { _ in }
    defer { environment.close() }
    try scan("items", of: environment)
    let whole = try StoreFile(scratch["store"])
    var forged = whole
    try forged.rename("c", to: "d", in: "items")
    try forged.rename("e", to: "f", in: "items")
    try forged.writeInPlace()
    for key in ["d", "f"] {
      // A run has the former page.
      #expect((try? way.text(key, in: "items", of: environment)) == nil, "\(key)")
    }
    #expect(try way.text("a", in: "items", of: environment) == "text of a")
    try whole.writeInPlace()
    #expect(try way.text("c", in: "items", of: environment) == "text of c")
    #expect(try way.text("e", in: "items", of: environment) == long)
    #expect(try environment.verify().entries == 3)
  }

  @Test("a value that gets a page of another one that is open", arguments: Way.allCases)
  func movedIntoPages(way: Way) throws {
    let environment = try open(["items": ["a": long, "b": String(repeating: "b", count: 3_000)]]) { _ in }
    defer { environment.close() }
    #expect(try Way.get.text("a", in: "items", of: environment) == long)
    let whole = try StoreFile(scratch["store"])
    var forged = whole
    let pages = try forged.longValue(of: "items")
    #expect(pages.count == 3)
    try forged.moveLongValue(of: "b", in: "items", to: pages.lowerBound + 1)
    try forged.writeInPlace()
    // A write opens it by itself: it is the value of its key.
    let found = try? way.text("b", in: "items", of: environment)
    #expect(found == nil || found == String(repeating: "b", count: 3_000))
    #expect(try way.text("a", in: "items", of: environment) == long)
    try whole.writeInPlace()
    #expect(try way.text("a", in: "items", of: environment) == long)
    #expect(try environment.verify().entries == 2)
  }
}
