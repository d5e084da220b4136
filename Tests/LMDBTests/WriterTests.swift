import Foundation
import LMDB
import Testing

@Suite struct WriterTests {
  let scratch = Scratch()
  struct Mine: Error {}

  private func open(_ options: EnvironmentOptions = .small()) throws -> (Environment, Database) {
    let environment = try Environment.open(directory: scratch["store"], options: options)
    return (environment, try environment.database("items"))
  }

  @Test func aWriteInsideAWriteIsRefused() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    try environment.write { transaction throws in
      #expect(code { try environment.write { _ in } } == .nestedWrite)
      #expect(code { _ = try environment.openDatabases(["new"], create: true) } == .nestedWrite)
      #expect(code { try environment.sync() } == .nestedWrite)
      try transaction.put(items, "a", "1")
    }
    #expect(try environment.read { try $0.text(items, "a") } == "1")
  }

  @Test func aTransactionStaysOnItsThread() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    try environment.write { transaction throws in
      let smuggled = Smuggled(transaction)
      onThreads(1) { _ throws in
        #expect(code { try smuggled.value.put(items, "a", "1") } == .incompatible)
        #expect(code { _ = try smuggled.value.delete(items, "a") } == .incompatible)
        #expect(code { try smuggled.value.nested { _ in } } == .incompatible)
        #expect(code { _ = try smuggled.value.openDatabase(named: "b") } == .incompatible)
      }
    }
    // The next writer would hang if the transaction had ended on the wrong thread.
    onThreads(2) { index in try environment.write { try $0.put(items, "\(index)", "1") } }
    #expect(try environment.read { try $0.count(items) } == 2)
  }

  @Test func writersOfManyThreadsTakeTurns() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    onThreads(6) { _ throws in
      for _ in 0..<30 {
        try environment.write { transaction throws in
          let old = try transaction.text(items, "sum").flatMap { Int($0) } ?? 0
          try transaction.put(items, "sum", "\(old + 1)")
        }
      }
    }
    #expect(try environment.read { try $0.text(items, "sum") } == "180")
  }

  @Test func nothingRemainsOfABodyThatThrows() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    var kept: WritableTransaction?
    var created: Database?
    #expect(throws: Mine.self) {
      try environment.write { transaction throws in
        kept = transaction
        try transaction.put(items, "a", "1")
        created = try transaction.openDatabase(named: "new")
        throw Mine()
      }
    }
    #expect(try environment.read { try $0.count(items) } == 0)
    #expect(try environment.openDatabases(["new"], create: false) == [nil])
    let ended = try #require(kept)
    #expect(code { try ended.put(items, "a", "1") } == .transactionEnded)
    #expect(code { _ = try ended.text(items, "a") } == .transactionEnded)
    #expect(code { try ended.nested { _ in } } == .transactionEnded)
    let gone = try #require(created)
    #expect(code { _ = try environment.read { try $0.count(gone) } } == .notFound)
  }

  @Test func keysHaveLimits() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    let longest = String(repeating: "k", count: 511)
    try environment.write { transaction throws in
      try transaction.put(items, longest, "v")
      for bad in ["", longest + "k", String(repeating: "k", count: 5000)] {
        #expect(code { try transaction.put(items, bad, "v") } == .keyLengthInvalid)
        #expect(code { _ = try transaction.text(items, bad) } == .keyLengthInvalid)
        #expect(code { _ = try transaction.delete(items, bad) } == .keyLengthInvalid)
        #expect(
          code { try bytes(bad) { try transaction.reserve(items, $0, count: 1) { _ in } } }
            == .keyLengthInvalid
        )
        let cursor = try transaction.cursor(items)
        #expect(code { _ = try bytes(bad) { try cursor.seek(exactly: $0) } } == .keyLengthInvalid)
      }
      #expect(
        code { try bytes("k") { try transaction.reserve(items, $0, count: 1 << 32) { _ in } } }
          == .keyLengthInvalid
      )
      #expect(code { _ = try transaction.openDatabase(named: "") } == .keyLengthInvalid)
      #expect(code { _ = try transaction.openDatabase(named: "a\0b") } == .keyLengthInvalid)
      let cursor = try transaction.cursor(items)
      #expect(try bytes("") { try cursor.seek(atOrAfter: $0) })
      #expect(code { _ = try bytes(longest + "k") { try cursor.seek(atOrAfter: $0) } } == .keyLengthInvalid)
    }
    #expect(try environment.read { try $0.text(items, longest) } == "v")
  }

  @Test func everyKindOfChange() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    try environment.write { transaction throws in
      try transaction.put(items, "b", "1")
      #expect(
        try bytes("b") { key in try bytes("2") { try transaction.putIfAbsent(items, key, $0) } } == false
      )
      #expect(try bytes("c") { key in try bytes("3") { try transaction.putIfAbsent(items, key, $0) } })
      try bytes("d") { key in try bytes("4") { try transaction.append(items, key, $0) } }
      try bytes("a") { key in try bytes("0") { try transaction.append(items, key, $0) } }
      try bytes("e") { try transaction.reserve(items, $0, count: 3) { $0.copyBytes(from: "xyz".utf8) } }
      #expect(try transaction.delete(items, "b"))
      #expect(try !transaction.delete(items, "b"))
      try transaction.put(items, "z", "")
    }
    try environment.read { transaction throws in
      let cursor = try transaction.cursor(items)
      var seen: [String] = []
      while try cursor.next() {
        seen.append(
          String(decoding: cursor.key, as: UTF8.self) + String(decoding: cursor.value, as: UTF8.self)
        )
      }
      #expect(seen == ["a0", "c3", "d4", "exyz", "z"])
      var backwards = 0
      while try cursor.previous() { backwards += 1 }
      #expect(backwards == 5)
    }
    try environment.write { try $0.removeAll(items) }
    #expect(try environment.read { try $0.count(items) } == 0)
  }

  @Test func cursorsChangeWhatTheyStandOn() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    try environment.write { transaction throws in
      for index in 0..<100 { try transaction.put(items, "key\(100 + index)", "v") }
      let cursor = try transaction.cursor(items)
      #expect(code { try cursor.delete() } == .notFound)
      #expect(code { try bytes("x") { try cursor.put($0) } } == .notFound)
      var index = 0
      while try cursor.next() {
        if index % 2 == 0 {
          try cursor.delete()
          #expect(cursor.key.isEmpty)
        } else {
          try bytes(String(repeating: "longer", count: index)) { try cursor.put($0) }
          #expect(cursor.value.count == 6 * index)
        }
        index += 1
      }
      #expect(index == 100)
    }
    try environment.read { transaction throws in
      #expect(try transaction.count(items) == 50)
      #expect(try transaction.text(items, "key103") == "longerlongerlonger")
      let cursor = try transaction.cursor(items)
      #expect(try cursor.first())
      #expect(code { try cursor.delete() } == .readOnly)
    }
  }

  @Test func nestedTransactionsFailAlone() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    try environment.write { transaction throws in
      try transaction.put(items, "outer", "1")
      let cursor = try transaction.cursor(items)
      #expect(try cursor.first())
      try transaction.nested { inner throws in
        try inner.put(items, "kept", "2")
        #expect(try inner.text(items, "outer") == "1")
        #expect(code { try transaction.put(items, "x", "x") } == .nestedWrite)
        #expect(code { _ = try cursor.next() } == .nestedWrite)
        let database = try inner.openDatabase(named: "kept")
        try inner.put(database, "a", "b")
      }
      var lost: Database?
      #expect(throws: Mine.self) {
        try transaction.nested { inner throws in
          try inner.put(items, "lost", "3")
          _ = try inner.delete(items, "outer")
          lost = try inner.openDatabase(named: "lost")
          try inner.nested { try $0.put(items, "deeper", "4") }
          throw Mine()
        }
      }
      let gone = try #require(lost)
      #expect(code { _ = try transaction.count(gone) } == .notFound)
      #expect(try transaction.text(items, "outer") == "1")
    }
    try environment.read { transaction throws in
      #expect(try transaction.count(items) == 2)
      #expect(try transaction.text(items, "kept") == "2")
      #expect(try transaction.databaseNames() == ["items", "kept"])
      let kept = try #require(try transaction.database(named: "kept"))
      #expect(try transaction.text(kept, "a") == "b")
    }
  }

  @Test func cursorsOutliveTheirTransactionSafely() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    var cursors: [Cursor] = []
    try environment.write { transaction throws in
      try transaction.put(items, "a", "1")
      cursors.append(try transaction.cursor(items))
      #expect(try cursors[0].first())
      try transaction.nested { cursors.append(try $0.cursor(items)) }
      _ = try? transaction.nested { inner throws in
        cursors.append(try inner.cursor(items))
        throw Mine()
      }
      #expect(cursors[0].key.elementsEqual("a".utf8))
    }
    for cursor in cursors {
      #expect(code { _ = try cursor.next() } == .transactionEnded)
      #expect(cursor.key.isEmpty)
    }
    cursors = []
    #expect(try environment.read { try $0.count(items) } == 1)
  }

  @Test func tooManyDatabasesIsAnError() throws {
    var options = EnvironmentOptions.small()
    options.maxDatabases = 3
    let (environment, items) = try open(options)
    defer { environment.close() }
    _ = try environment.openDatabases(["b", "c"], create: true)
    #expect(code { _ = try environment.openDatabases(["d"], create: true) } == .databasesFull)
    try environment.write { try $0.put(items, "a", "1") }
    #expect(try environment.read { try $0.databaseNames() } == ["b", "c", "items"])
  }

  @Test func relaxedAndUnsynchronisedStoresKeepTheirCommits() throws {
    for durability in [Durability.relaxed, .none] {
      let store = Scratch()
      var options = EnvironmentOptions.small()
      options.durability = durability
      let environment = try Environment.open(directory: store["store"], options: options)
      let items = try environment.database("items")
      try environment.write { try $0.put(items, "a", "1") }
      try environment.sync()
      environment.close()
      let again = try Environment.open(directory: store["store"], options: options)
      let same = try again.database("items")
      #expect(try again.read { try $0.text(same, "a") } == "1")
      again.close()
    }
  }
}
