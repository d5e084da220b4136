import LMDB
import TestEffort
import Testing

/// Reads go through the pages of the map, in writes through LMDB's cursors: both have to do what an array does.
@Suite(.timeLimit(.minutes(20))) struct PageReadingTests {
  let scratch = Scratch()

  @Test(arguments: 1...UInt64(TestEffort.count(1, more: 5)))
  func everyMoveIsThatOfAnArray(seed: UInt64) throws {
    var random = RandomEntries(seed: seed)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let databases = try environment.openDatabases(["a", "b", "c"], create: true).compactMap { $0 }
    var models = [[[UInt8]: [UInt8]]](repeating: [:], count: databases.count)
    for round in 0..<3 {
      for (index, database) in databases.enumerated() {
        try change(environment, database, &models[index], &random, rounds: round == 0 ? 0 : 1)
      }
      for (index, database) in databases.enumerated() {
        let model = models[index]
        let keys = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let saved = random
        try environment.read { transaction throws in
          try compare(transaction, database, model, keys, &random, "seed \(seed) round \(round) reading")
        }
        // The same through LMDB, where pages were changed as well.
        random = saved
        try environment.write { transaction throws in
          random = saved
          try transaction.put(database, "unrelated", "x")
          _ = try transaction.delete(database, "unrelated")
          try compare(transaction, database, model, keys, &random, "seed \(seed) round \(round) writing")
        }
      }
    }
  }

  private func change(
    _ environment: Environment,
    _ database: Database,
    _ model: inout [[UInt8]: [UInt8]],
    _ random: inout RandomEntries,
    rounds: Int
  ) throws {
    let count = rounds == 0 ? 0 : [1, 30, 300, 1500].randomElement(using: &random.generator) ?? 1
    let start = model
    let saved = random
    var result = start
    try environment.write { transaction throws in
      (result, random) = (start, saved)
      for _ in 0..<count {
        let key = random.key()
        if Int.random(in: 0..<4, using: &random.generator) == 0, let old = result.keys.first {
          result[old] = nil
          _ = try old.withUnsafeBytes { try transaction.delete(database, $0) }
        }
        let value = random.value()
        result[key] = value
        try key.withUnsafeBytes { k in try value.withUnsafeBytes { try transaction.put(database, k, $0) } }
      }
    }
    model = result
  }

  private func compare(
    _ transaction: Transaction,
    _ database: Database,
    _ values: [[UInt8]: [UInt8]],
    _ keys: [[UInt8]],
    _ random: inout RandomEntries,
    _ comment: Comment
  ) throws {
    let cursor = try transaction.cursor(database)
    var model = ModelCursor(keys: keys)
    for step in 0..<200 {
      let wanted =
        Bool.random(using: &random.generator)
        ? keys.randomElement(using: &random.generator) ?? random.key() : random.key()
      let rank = model.rank(wanted)
      let isPresent = model.contains(wanted)
      let found: Bool
      let expected: Bool
      let kind = Int.random(in: 0..<14, using: &random.generator)
      switch kind {
      case 0: (found, expected) = (try cursor.first(), model.go(to: 0))
      case 1: (found, expected) = (try cursor.last(), model.last())
      case 2...4: (found, expected) = (try cursor.next(), model.skip(1))
      case 5...6: (found, expected) = (try cursor.previous(), model.skip(-1))
      case 7:
        found = try wanted.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
        expected = model.go(to: rank)
      case 8:
        found = try wanted.withUnsafeBytes { try cursor.seek(exactly: $0) }
        model.place = isPresent ? .entry(rank) : .nowhere
        expected = isPresent
      case 9:
        found = try wanted.withUnsafeBytes { try cursor.seek(atOrBefore: $0) }
        expected = model.go(to: isPresent ? rank : rank - 1)
        if keys.isEmpty { model.place = .afterLast }
      case 10:
        found = try wanted.withUnsafeBytes { try cursor.seek(before: $0) }
        expected = model.go(to: rank - 1)
        if keys.isEmpty { model.place = .afterLast }
      case 11:
        found = try wanted.withUnsafeBytes { try cursor.seek(after: $0) }
        expected = model.go(to: isPresent ? rank + 1 : rank)
      default:
        let reach = [1, 5, 100, 5000].randomElement(using: &random.generator) ?? 1
        let count = Int.random(in: -reach...reach, using: &random.generator)
        (found, expected) = (try cursor.skip(count), model.skip(count))
      }
      #expect(found == expected, "\(comment) step \(step) kind \(kind)")
      expect(cursor, model, values, comment)
    }
    for key in keys.shuffled(using: &random.generator).prefix(200) + (0..<50).map({ _ in random.key() }) {
      let value = try key.withUnsafeBytes { try transaction.get(database, $0).map { [UInt8]($0) } }
      #expect(value == values[key], comment)
    }
    try compareRuns(transaction, database, values, model, &random, comment)
  }

  private func expect(
    _ cursor: Cursor,
    _ model: ModelCursor,
    _ values: [[UInt8]: [UInt8]],
    _ comment: Comment
  ) {
    let key = model.current ?? []
    #expect([UInt8](cursor.key) == key, comment)
    #expect([UInt8](cursor.value) == values[key] ?? [], comment)
  }

  private func compareRuns(
    _ transaction: Transaction,
    _ database: Database,
    _ values: [[UInt8]: [UInt8]],
    _ model: ModelCursor,
    _ random: inout RandomEntries,
    _ comment: Comment
  ) throws {
    let keys = model.keys
    func entries(_ run: LeafRun) -> [[UInt8]] {
      for index in 0..<run.count {
        #expect([UInt8](run.value(index)) == values[[UInt8](run.key(index))], comment)
      }
      return (0..<run.count).map { [UInt8](run.key($0)) }
    }
    // The cursor moves from a random key to the end, and back to the beginning.
    let cursor = try transaction.cursor(database)
    let start = random.key()
    let rank = model.rank(start)
    var found: [[UInt8]] = []
    if try start.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }) {
      var run = try cursor.run()
      while let entries = run.map(entries) {
        found += entries
        #expect([UInt8](cursor.key) == found.last, comment)
        run = try cursor.nextRun()
      }
    }
    #expect(found == Array(keys[rank...]), comment)
    found = []
    while let run = try cursor.previousRun() {
      found = entries(run) + found
      #expect([UInt8](cursor.key) == found.first, comment)
    }
    #expect(found == keys, comment)
    for _ in 0..<12 {
      let low = Int.random(in: 0..<5, using: &random.generator) == 0 ? nil : random.key()
      let high = Int.random(in: 0..<5, using: &random.generator) == 0 ? nil : random.key()
      let from = low.map(model.rank) ?? 0
      let to = max(high.map(model.rank) ?? keys.count, from)
      try withBytes(low, high) { low, high in
        var forward: [[UInt8]] = []
        try transaction.forEachRun(database, from: low, to: high) { run in
          forward += entries(run)
          return true
        }
        #expect(forward == Array(keys[from..<to]), comment)
        var backward: [[UInt8]] = []
        try transaction.forEachRun(database, from: low, to: high, reversed: true) { run in
          backward = entries(run) + backward
          return true
        }
        #expect(backward == Array(keys[from..<to]), comment)
        let count = try transaction.exactCount(database, from: low, to: high)
        #expect(count == to - from, comment)
        let estimate = try transaction.estimatedCount(database, from: low, to: high)
        #expect(estimate >= 0 && estimate <= max(2 * keys.count, 2), comment)
        #expect(to - from != keys.count || keys.isEmpty || estimate > 0, comment)
      }
    }
  }

  private func withBytes(
    _ first: [UInt8]?,
    _ second: [UInt8]?,
    _ body: (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    try (first ?? []).withUnsafeBytes { low in
      try (second ?? []).withUnsafeBytes { high in
        try body(first == nil ? nil : low, second == nil ? nil : high)
      }
    }
  }

  @Test func readsGoThroughPagesAndWritesDoNot() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { transaction throws in
      for number in 0..<1000 { try transaction.put(items, "\(1000 + number)", "value") }
      let run = try transaction.cursor(items).nextRun()
      #expect(run?.count == 1)
    }
    try environment.read { transaction throws in
      let run = try #require(try transaction.cursor(items).nextRun())
      #expect(run.count > 1)
    }
  }

  @Test func aCursorEndsWithItsRead() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { transaction throws in
      for number in 0..<1000 { try transaction.put(items, "\(1000 + number)", "value") }
    }
    var kept: [Cursor] = []
    try environment.read { transaction throws in
      let cursor = try transaction.cursor(items)
      _ = try cursor.first()
      kept = [cursor, try transaction.cursor(items)]
    }
    for cursor in kept {
      #expect(cursor.key.isEmpty && cursor.value.isEmpty)
      let calls: [(Cursor) throws -> Void] = [
        { _ = try $0.first() }, { _ = try $0.last() }, { _ = try $0.next() }, { _ = try $0.previous() },
        { _ = try $0.skip(1) }, { _ = try $0.skip(-1) }, { _ = try $0.run() }, { _ = try $0.nextRun() },
        { _ = try $0.runBackward() }, { _ = try $0.previousRun() },
        { cursor in _ = try bytes("1500") { try cursor.seek(atOrAfter: $0) } },
        { cursor in _ = try bytes("1500") { try cursor.seek(exactly: $0) } },
        { cursor in _ = try bytes("1500") { try cursor.seek(atOrBefore: $0) } },
      ]
      for (index, call) in calls.enumerated() {
        #expect(code { try call(cursor) } == .transactionEnded, "call \(index)")
      }
    }
  }

  /// Readers hold their snapshots while others write, delete, make and drop databases, and the map moves.
  @Test func snapshotsStayAsTheyAre() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    let size = 600
    @Sendable func write(_ round: Int) throws {
      try environment.write { transaction throws in
        for number in 0..<size {
          let value = String(repeating: "v", count: (number * 7 + round * 13) % 900) + "/\(round)"
          try transaction.put(items, "\(1000 + number)", value)
        }
        for number in 0..<50 { try transaction.put(items, "x\(round)/\(number)", "/\(round)") }
        if round > 0 {
          for number in 0..<50 { _ = try transaction.delete(items, "x\(round - 1)/\(number)") }
        }
        let side = try transaction.openDatabase(named: "side")
        try transaction.put(side, "round", "/\(round)")
        if round % 3 == 2 { try transaction.drop(side) }
      }
    }
    try write(0)
    let isDone = Flag()
    onThreads(4) { index in
      if index == 0 {
        defer { isDone.set() }
        for round in 1..<TestEffort.count(12, more: 40) { try write(round) }
        return
      }
      while !isDone.isSet {
        try environment.read { transaction throws in
          let text = try #require(try transaction.text(items, "1000"))
          let round = try #require(text.split(separator: "/").last)
          var count = 0
          try transaction.forEachRun(items, reversed: index == 2) { run in
            for entry in 0..<run.count {
              let value = String(decoding: run.value(entry), as: UTF8.self)
              guard value.hasSuffix("/\(round)") else {
                Issue.record("\(value.suffix(8)) in round \(round)")
                return false
              }
            }
            count += run.count
            return true
          }
          #expect(count == size + 50)
          let cursor = try transaction.cursor(items)
          let found = try cursor.skip(size + 50)
          #expect(found && cursor.key.starts(with: "x\(round)/".utf8))
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func estimatesAreAboutRight(seed: UInt64) throws {
    var generator = Generator(state: seed)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    let count = 12_000
    let names = (0..<count).map { _ in UInt32.random(in: 0...UInt32.max, using: &generator) }
    try environment.write { transaction throws in
      for name in names {
        let padding = [UInt8](repeating: 1, count: Int(name % 60))
        try withUnsafeBytes(of: name.bigEndian) { key in
          try padding.withUnsafeBytes { try transaction.put(items, key, $0) }
        }
      }
    }
    let sorted = Set(names).sorted()
    try environment.read { transaction throws in
      for _ in 0..<200 {
        let low = Int.random(in: 0..<sorted.count, using: &generator)
        let high = Int.random(in: low..<sorted.count, using: &generator)
        try withUnsafeBytes(of: sorted[low].bigEndian) { from in
          try withUnsafeBytes(of: sorted[high].bigEndian) { to in
            let estimate = try transaction.estimatedCount(items, from: from, to: to)
            let exact = high - low
            let difference = abs(estimate - exact)
            #expect(difference <= exact / 4 + 150, "seed \(seed): \(estimate) for \(exact)")
            #expect(exact > 20 || difference <= 150, "seed \(seed): \(estimate) for \(exact)")
          }
        }
      }
    }
  }
}
