import LMDB
import TestEffort
import Testing

/// Several keys at a time are found as one after another is.
@Suite(.timeLimit(.minutes(20))) struct LookUpBatchTests {
  let scratch = Scratch()

  @Test(arguments: 1...UInt64(TestEffort.count(4, more: 16)))
  func everyKeyIsFoundAsByItself(seed: UInt64) throws {
    var random = RandomEntries(seed: seed)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let databases = try environment.openDatabases(["a", "b"], create: true).compactMap { $0 }
    for round in 0..<3 {
      let database = databases[round % 2]
      var keys: [[UInt8]] = []
      let count = [0, 1, 40, 2000].randomElement(using: &random.generator) ?? 0
      for _ in 0..<count { keys.append(random.key()) }
      let values = keys.map { _ in random.value() }
      let (added, removed) = (keys, keys.prefix(count / 4))
      try environment.write { transaction throws in
        for (key, value) in zip(added, values) {
          try key.withUnsafeBytes { k in try value.withUnsafeBytes { try transaction.put(database, k, $0) } }
        }
        for key in removed { _ = try key.withUnsafeBytes { try transaction.delete(database, $0) } }
      }
      var wanted = keys.shuffled(using: &random.generator).prefix(300) + (0..<40).map { _ in random.key() }
      wanted.shuffle(using: &random.generator)
      let asked = Array(wanted)
      let comment = Comment(rawValue: "seed \(seed) round \(round)")
      try environment.read { transaction throws in try Self.compare(transaction, database, asked, comment) }
      try environment.write { transaction throws in
        try transaction.put(database, "unrelated", "x")
        try Self.compare(transaction, database, asked, comment)
        _ = try transaction.delete(database, "unrelated")
      }
    }
  }

  private static func compare(
    _ transaction: Transaction,
    _ database: Database,
    _ keys: [[UInt8]],
    _ comment: Comment
  ) throws {
    let bytes = keys.flatMap { $0 }
    var offset = 0
    let ranges = keys.map { key in
      defer { offset += key.count }
      return offset..<(offset + key.count)
    }
    try bytes.withUnsafeBytes { buffer in
      var next = 0
      while next < keys.count {
        var batch = LookUpBatch(in: transaction)
        while next < keys.count, !batch.isFull {
          batch.append(UnsafeRawBufferPointer(rebasing: buffer[ranges[next]]), at: next)
          next += 1
        }
        try batch.prepare(database)
        for item in 0..<batch.count {
          let key = batch.key(item)
          #expect(key.elementsEqual(keys[batch.place(item)]), comment)
          let value = try batch.value(item, in: database).map { [UInt8]($0) }
          #expect(value == (try transaction.get(database, key).map { [UInt8]($0) }), comment)
        }
      }
    }
  }

  @Test func aFullBatchTakesNoMoreAndIsUsedAgain() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let database = try #require(try environment.openDatabases(["a"], create: true)[0])
    try environment.write { transaction throws in
      for number in 0..<100 { try transaction.put(database, "key \(number)", "value \(number)") }
    }
    let keys = (0..<100).map { Array("key \($0)".utf8) }
    try environment.read { transaction throws in
      var batch = LookUpBatch(in: transaction)
      #expect(batch.count == 0 && !batch.isFull)
      // Keys have to live as long as they are looked up.
      let bytes = keys.flatMap { $0 }
      try bytes.withUnsafeBytes { buffer in
        var offset = 0
        for (place, key) in keys.enumerated() {
          batch.append(UnsafeRawBufferPointer(rebasing: buffer[offset..<(offset + key.count)]), at: place)
          offset += key.count
        }
        #expect(batch.isFull && batch.count == LookUpBatch.capacity && batch.place(31) == 31)
        // A lookup without a preparation only takes longer.
        let value = try batch.value(31, in: database).map { String(decoding: $0, as: UTF8.self) }
        #expect(value == "value 31")
        try batch.prepare(database)
        var other = LookUpBatch(in: transaction)
        other.append(UnsafeRawBufferPointer(rebasing: buffer[0..<4]))
        try other.prepare(database)
        #expect(try other.value(0, in: database) == nil)
        #expect(try batch.value(0, in: database)?.elementsEqual("value 0".utf8) ?? false)
        batch.removeAll()
        #expect(batch.count == 0)
        batch.append(UnsafeRawBufferPointer(rebasing: buffer[0..<4]))
        try batch.prepare(database)
        #expect(try batch.value(0, in: database) == nil)
      }
    }
  }

  @Test func aTransactionThatHasEndedIsAnError() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let database = try #require(try environment.openDatabases(["a"], create: true)[0])
    var kept: Transaction?
    try environment.read { transaction throws in kept = transaction }
    let ended = try #require(kept)
    let key = Array("key".utf8)
    key.withUnsafeBytes { key in
      var batch = LookUpBatch(in: ended)
      batch.append(key)
      do {
        try batch.prepare(database)
        Issue.record("A transaction that has ended was used.")
      } catch { #expect((error as? LMDBError)?.code == .transactionEnded) }
    }
  }
}
