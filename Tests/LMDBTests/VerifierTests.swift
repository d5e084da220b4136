import Foundation
import LMDB
import TestEffort
import Testing

@Suite struct VerifierTests {
  let scratch = Scratch()

  /// Healthy stores of every shape have to pass, or a good store could not be opened.
  @Test(arguments: TestEffort.first(2, of: [1, 2, 3, 4] as [UInt64]))
  func everythingThatLMDBWritesPasses(seed: UInt64) throws {
    var generator = Generator(state: seed)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let names = ["a", "b", "c"]
    var model: [String: [String: Int]] = [:]
    for round in 0..<TestEffort.count(30, more: 60) {
      try change(environment, names, &model, &generator)
      let report = try StoreVerifier.verify(directory: scratch["store"])
      let entries = model.values.reduce(0) { $0 + $1.count }
      #expect(report.entries == entries, "seed \(seed) round \(round)")
      #expect(report.databases == model.count, "seed \(seed) round \(round)")
      #expect(report.unreferencedPages == 0, "seed \(seed) round \(round)")
      let statistics = try environment.statistics()
      #expect(report.freePages == statistics.freePages, "seed \(seed) round \(round)")
      #expect(report.transaction == statistics.lastTransaction, "seed \(seed) round \(round)")
    }
  }

  private func change(
    _ environment: Environment,
    _ names: [String],
    _ model: inout [String: [String: Int]],
    _ generator: inout Generator
  ) throws {
    let name = names[Int.random(in: 0..<names.count, using: &generator)]
    let kind = Int.random(in: 0..<20, using: &generator)
    let count = Int.random(in: 1...400, using: &generator)
    let choices = (0..<count).map { _ in
      (Int.random(in: 0..<4000, using: &generator), Int.random(in: 0..<100, using: &generator))
    }
    let before = model
    var result = before
    try environment.write { transaction throws in
      result = before
      let database = try transaction.openDatabase(named: name)
      var entries = result[name] ?? [:]
      for (number, size) in choices {
        let key = String(repeating: "k", count: number % 90) + "\(number)"
        if kind < 14 {
          let length = size == 0 ? 20_000 : size * 6
          try transaction.put(database, key, String(repeating: "x", count: length))
          entries[key] = length
        } else {
          _ = try transaction.delete(database, key)
          entries[key] = nil
        }
      }
      result[name] = entries
      if kind == 19 {
        try transaction.drop(database)
        result[name] = nil
      } else if kind == 18 {
        try transaction.removeAll(database)
        result[name] = [:]
      }
    }
    model = result
  }

  /// A name is listed as text, and would be looked up as another one.
  @Test func aNameThatIsNoTextIsDamage() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    let items = try environment.database("wanted-items")
    try environment.write { try $0.put(items, "a", "1") }
    environment.close()
    let url = URL(fileURLWithPath: scratch["store/data.mdb"])
    var file = try Data(contentsOf: url)
    var start = file.startIndex
    while let name = file.range(of: Data("wanted-items".utf8), in: start..<file.endIndex) {
      file[name.upperBound - 1] = 0xF8
      start = name.upperBound
    }
    #expect(start > file.startIndex)
    try file.write(to: url)
    #expect(chmod(url.path, 0o600) == 0)
    #expect(code { _ = try StoreVerifier.verify(directory: scratch["store"]) } == .damaged)
    #expect(code { try Environment.open(directory: scratch["store"], options: .small()).close() } == .damaged)
  }

  @Test func aStoreIsVerifiedWhileItIsWritten() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    let isDone = Flag()
    onThreads(2) { index in
      if index == 1 {
        var round = 0
        while !isDone.isSet {
          round += 1
          try environment.write { transaction in
            for part in 0..<100 {
              try transaction.put(items, "\(part * 37 % 1000)", String(repeating: "v", count: round % 900))
            }
          }
        }
        return
      }
      defer { isDone.set() }
      for _ in 0..<20 { _ = try environment.verify() }
    }
    #expect(try environment.verify().entries == environment.read { try $0.count(items) })
  }

  /// A process that writes and one that opens with full verification must not disturb each other.
  @Test func openingVerifiesAgainstAWriterOfAnotherProcess() throws {
    let child = try Child("write-forever", scratch["store"])
    defer { child.killNow() }
    _ = child.line()
    var options = EnvironmentOptions.small()
    options.verification = .full
    for _ in 0..<10 {
      let environment = try Environment.open(directory: scratch["store"], options: options)
      let items = try environment.database("items")
      #expect(try environment.read { try $0.count(items) } % 20 == 0)
      environment.close()
    }
  }

  @Test(arguments: ["anywhere", "header", "meta"])
  func flippedBitsAreFoundOrHarmless(place: String) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    let count = TestEffort.count(40, more: 160)
    let child = try Child("flips", scratch["store"], "\(seed)", "\(count)", place)
    let lines = child.finish()
    let tail = lines.suffix(5).joined(separator: " | ")
    #expect(child.end == .exited(0), "seed \(seed) ended \(child.end): \(tail)")
    #expect(lines.last == "done \(count)", "seed \(seed): \(tail)")
    #expect(lines.filter { $0.hasPrefix("WRONG") } == [], "seed \(seed)")
    // Few of the bits anywhere are in what LMDB's readers check; checksums of values find the others.
    let found = ["outcome error damaged"] + (place == "anywhere" ? ["outcome checksum"] : [])
    #expect(lines.contains { line in found.contains { line.hasPrefix($0) } }, "seed \(seed): \(tail)")
    #expect(lines.contains { $0.hasPrefix("outcome right") }, "seed \(seed): \(tail)")
  }

  /// Bytes of every kind in every place: an error or a report, never a crash or a loop.
  @Test func neverTrustsAByte() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    let items = try environment.database("items")
    try environment.write { transaction in
      for index in 0..<800 {
        let size = index % 50 == 0 ? 10_000 : 200
        try transaction.put(items, "\(index)", String(repeating: "v", count: size))
      }
    }
    try environment.write { transaction in
      for index in 0..<300 { _ = try transaction.delete(items, "\(index)") }
    }
    environment.close()
    let url = URL(fileURLWithPath: scratch["store/data.mdb"])
    let whole = try Data(contentsOf: url)
    let seed = UInt64.random(in: 0..<1_000_000)
    var generator = Generator(state: seed)
    var refused = 0
    for round in 0..<TestEffort.count(100, more: 400) {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        // Headers and the offsets behind them, where damage does most.
        let page = Int.random(in: 0..<whole.count / 4096, using: &generator)
        let offset = page * 4096 + Int.random(in: 0..<(page < 2 ? 152 : 64), using: &generator)
        let value = [0, 1, 0xFF, 0x80, UInt8.random(in: 0...255, using: &generator)]
        damaged[offset] = value[Int.random(in: 0..<value.count, using: &generator)]
      }
      try damaged.write(to: url)
      #expect(chmod(url.path, 0o600) == 0)
      let result = Result { () throws(LMDBError) in
        try StoreVerifier.verify(directory: scratch["store"])
      }
      switch result {
      case .success(let report): #expect(report.entries == 500, "seed \(seed) round \(round)")
      case .failure(let error):
        refused += 1
        let codes: [LMDBError.Code] = [.damaged, .truncated, .notAStore, .versionMismatch, .incompatible]
        #expect(codes.contains(error.code), "seed \(seed) round \(round): \(error)")
      }
    }
    #expect(refused > TestEffort.count(20, more: 100), "seed \(seed)")
  }
}
