import Foundation
import LMDB
import Testing

/// Writes that put their pages into the file before the commit.
@Suite struct EarlyPageTests {
  private struct Undone: Error {}

  let scratch = Scratch()
  private let value = String(repeating: "v", count: 1000)

  private func open() throws -> (Environment, Database) {
    let environment = try Environment.open(directory: scratch["store"], options: .small(256 << 20))
    return (environment, try environment.database("items"))
  }

  private func fileSize() throws -> Int {
    var info = stat()
    try #require(stat(scratch["store/data.mdb"], &info) == 0)
    return Int(info.st_size)
  }

  private func fill(_ transaction: WritableTransaction, _ items: Database, _ keys: Range<Int>) throws {
    for key in keys { try transaction.put(items, "\(key)", value) }
  }

  private func names(_ environment: Environment) throws -> [String] {
    try ["fief:spilling", "items", "other"].filter { try environment.openDatabase(named: $0) != nil }
  }

  /// Without the early writes, LMDB has all changed pages in memory, and the file grows with the commit.
  @Test func pagesAreInTheFileBeforeTheCommit() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    let start = try fileSize()
    try environment.write { transaction throws in
      try fill(transaction, items, 0..<1000)
      #expect(try fileSize() == start)
      try transaction.writePages(beyond: 1000)
      #expect(try fileSize() == start)
      try transaction.writePages(beyond: 100)
      let early = try fileSize()
      #expect(early >= start + 1_000_000)
      // The pages are read from the file, and changed again.
      for key in stride(from: 0, to: 1000, by: 7) {
        #expect(try transaction.text(items, "\(key)") == value)
        try transaction.put(items, "\(key)", "changed")
        #expect(try transaction.delete(items, "\(key + 1)") == (key + 1 < 1000))
      }
      #expect(try environment.read { try $0.count(items) } == 0)
      for round in 1...5 {
        try fill(transaction, items, round * 1000..<(round + 1) * 1000)
        try transaction.writePages(beyond: 0)
      }
      #expect(try fileSize() >= early + 5_000_000)
    }
    let deleted = stride(from: 1, to: 1000, by: 7).map { $0 }
    try environment.read { transaction throws in
      #expect(try transaction.count(items) == 6000 - deleted.count)
      for key in 0..<6000 {
        let wanted = key < 1000 && key % 7 == 0 ? "changed" : key < 1000 && key % 7 == 1 ? nil : value
        #expect(try transaction.text(items, "\(key)") == wanted)
      }
    }
    // The tree by which LMDB was made to write them never reaches a commit.
    #expect(try names(environment) == ["items"])
    environment.close()
    let again = try Environment.open(directory: scratch["store"], options: .small())
    let kept = try #require(try again.openDatabase(named: "items"))
    #expect(try again.read { try $0.count(kept) } == 6000 - deleted.count)
    #expect(try names(again) == ["items"])
    again.close()
  }

  @Test func nothingRemainsAfterARollback() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    try environment.write { try fill($0, items, 0..<10) }
    let size = try fileSize()
    #expect(throws: Undone.self) {
      try environment.write { transaction throws in
        try fill(transaction, items, 0..<2000)
        try transaction.writePages(beyond: 0)
        throw Undone()
      }
    }
    #expect(try environment.read { try $0.count(items) } == 10)
    #expect(try names(environment) == ["items"])
    #expect(try fileSize() == size)
    try environment.write { transaction throws in
      try fill(transaction, items, 0..<1000)
      try transaction.writePages(beyond: 0)
    }
    #expect(try fileSize() > size && environment.read { try $0.count(items) } == 1000)
  }

  /// LMDB closes the handles that a nested transaction has opened when it is rolled back, and gives their
  /// numbers to others.
  @Test(arguments: [false, true]) func nestedTransactionsMayBeRolledBack(_ isRolledBack: Bool) throws {
    let (environment, items) = try open()
    defer { environment.close() }
    try environment.write { transaction throws in
      try transaction.put(items, "first", "1")
      do {
        try transaction.nested { inner throws in
          try fill(inner, items, 0..<1000)
          try inner.writePages(beyond: 0)
          if isRolledBack { throw Undone() }
        }
      } catch is Undone {}
      let other = try transaction.openDatabase(named: "other")
      try transaction.put(other, "kept", "2")
      try fill(transaction, items, 2000..<3000)
      try transaction.writePages(beyond: 0)
      try transaction.put(other, "more", "3")
    }
    #expect(try names(environment) == ["items", "other"])
    let other = try #require(try environment.openDatabase(named: "other"))
    try environment.read { transaction throws in
      #expect(try transaction.text(other, "kept") == "2" && transaction.text(other, "more") == "3")
      #expect(try transaction.count(items) == (isRolledBack ? 1001 : 2001))
    }
  }

  @Test func aWriteWithoutChangesWritesNothing() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    let commit = try environment.read { $0.id }
    try environment.write { try $0.writePages(beyond: 0) }
    #expect(try environment.read { $0.id } == commit)
    #expect(try environment.read { try $0.count(items) } == 0)
  }
}
