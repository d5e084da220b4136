import Foundation
import LMDB
import TestEffort
import Testing

/// Pages that are read directly and are not what they should be: an error or a wrong answer, never a crash.
@Suite(.timeLimit(.minutes(20))) struct DamagedPageTests {
  let scratch = Scratch()
  private let pageSize = 4096

  @Test(arguments: 1...UInt64(TestEffort.count(1, more: 3)))
  func damageIsAnError(seed: UInt64) throws {
    var generator = Generator(state: seed)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    let keys = (0..<1200).map { String(repeating: "k", count: $0 % 120) + "\($0)" }
    try environment.write { transaction throws in
      for (index, key) in keys.enumerated() {
        let count = index % 60 == 0 ? 6000 : index % 97
        try transaction.put(items, key, String(repeating: "v", count: count))
      }
    }
    let path = scratch["store"] + "/data.mdb"
    let healthy = try Data(contentsOf: URL(fileURLWithPath: path))
    let pages = try treePages(healthy)
    #expect(pages.count > 20)
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    var damaged = 0
    for trial in 0..<TestEffort.count(100, more: 150) {
      let page = pages[Int.random(in: 0..<pages.count, using: &generator)]
      let range = page * pageSize..<(page + 1) * pageSize
      var bytes = [UInt8](healthy[range])
      spoil(&bytes, &generator)
      #expect(pwrite(descriptor, bytes, pageSize, off_t(range.lowerBound)) == pageSize)
      if try readEverything(environment, items, keys, "seed \(seed) trial \(trial) page \(page)") {
        damaged += 1
      }
      let whole = [UInt8](healthy[range])
      #expect(pwrite(descriptor, whole, pageSize, off_t(range.lowerBound)) == pageSize)
    }
    #expect(damaged > 20, "seed \(seed)")
    let isHealthy = try !readEverything(environment, items, keys, "seed \(seed) at the end")
    #expect(isHealthy)
  }

  /// LMDB goes to the last page of a tree to append, whatever the key is.
  @Test(arguments: 0..<4) func theLastPageIsCheckedBeforeAnAppend(way: Int) throws {
    var options = EnvironmentOptions.small()
    options.wholeVerificationBytes = 0
    let keys = (0..<3_000).map { "key \(10_000 + $0)" }
    do {
      let environment = try Environment.open(directory: scratch["store"], options: options)
      defer { environment.close() }
      let items = try environment.database("items")
      try environment.write { transaction throws in
        for key in keys { try transaction.put(items, key, String(repeating: "v", count: 60)) }
      }
    }
    let last = Array(keys[keys.count - 1].utf8)
    let damage = try PageDamage(scratch["store"]) { page in
      guard page.bytes[10] == 2, page.bytes[11] == 0, Data(page.bytes).range(of: Data(last)) != nil else {
        return
      }
      for index in 16..<page.bytes.count { page.bytes[index] = 0xFF }
    }
    let environment = try Environment.open(directory: scratch["store"], options: options)
    defer { environment.close() }
    let items = try environment.database("items")
    let (first, value) = (Array(keys[0].utf8), Array("new".utf8))
    #expect(throws: LMDBError.self) {
      try environment.write { transaction throws in
        try first.withUnsafeBytes { first throws in
          try value.withUnsafeBytes { value throws in
            switch way {
            case 0: try transaction.writeCursor(items).put(first, value)
            case 1: _ = try transaction.writeCursor(items).putIfAbsent(first, value)
            case 2: try transaction.writeCursor(items).put(first, value, beginningWith: 7)
            default: try transaction.append(items, first, value)
            }
          }
        }
      }
    }
    try damage.undo()
    try environment.write { transaction throws in try transaction.put(items, keys[0], "new") }
    #expect(try environment.read { try $0.text(items, keys[0]) } == "new")
  }

  /// LMDB merges leaves at deletions, and goes the further the emptier they have become.
  @Test(arguments: ["same", "shorter", "longer", "long", "delete"])
  func thePagesBesideALeafThatGetsEmptierAreChecked(way: String) throws {
    var options = EnvironmentOptions.small()
    options.wholeVerificationBytes = 0
    let keys = (0..<3_000).map { "key \(10_000 + $0)" }
    func text(_ count: Int) -> String { String(repeating: "v", count: count) }
    do {
      let environment = try Environment.open(directory: scratch["store"], options: options)
      defer { environment.close() }
      let items = try environment.database("items")
      try environment.write { transaction throws in
        for key in keys { try transaction.put(items, key, text(60)) }
      }
    }
    var first: String?
    let damage = try PageDamage(scratch["store"]) { page in
      guard page.keys.contains(keys[1500]) else { return }
      first = page.keys.first
      for index in 16..<page.bytes.count { page.bytes[index] = 0xFF }
    }
    let place = try #require(keys.firstIndex { $0 == first })
    let key = keys[place - 1]
    let environment = try Environment.open(directory: scratch["store"], options: options)
    defer { environment.close() }
    let items = try environment.database("items")
    func change() throws {
      try environment.write { transaction throws in
        switch way {
        case "same": try transaction.put(items, key, text(60))
        case "shorter": try transaction.put(items, key, text(10))
        case "longer": try transaction.put(items, key, text(70))
        case "long": try transaction.put(items, key, text(5_000))
        default: _ = try transaction.delete(items, key)
        }
      }
    }
    if ["same", "longer"].contains(way) {
      try change()
      // The shorter value counts against the state in which a write begins.
      #expect(throws: LMDBError.self) {
        try environment.write { transaction throws in
          try transaction.put(items, key, text(80))
          try transaction.put(items, key, text(20))
        }
      }
    } else {
      #expect(throws: LMDBError.self) { try change() }
    }
    try damage.undo()
    try change()
    #expect(
      try environment.read { try $0.text(items, key)?.count }
        == ["same": 60, "shorter": 10, "longer": 70, "long": 5_000][way]
    )
  }

  /// The pages with entries and those that lead there, without those of the main tree: LMDB reads that.
  private func treePages(_ file: Data) throws -> [Int] {
    func word(_ offset: Int) -> UInt64 {
      file.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }
    // The root of the main tree is behind the heads of the page and of the meta data; so is the commit.
    let newest = word(144) > word(pageSize + 144) ? 0 : 1
    let (free, main) = (word(newest * pageSize + 80), word(newest * pageSize + 128))
    return (2..<file.count / pageSize).filter { page in
      let flags = file.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: page * pageSize + 10, as: UInt16.self)
      }
      return [1, 2, 4].contains(flags) && page != main && page != free
    }
  }

  private func spoil(_ bytes: inout [UInt8], _ generator: inout Generator) {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      // The head.
      bytes[Int.random(in: 0..<16, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
    case 1:
      // Offsets of nodes.
      for _ in 0..<3 {
        let place = 16 + Int.random(in: 0..<100, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
    case 2:
      for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
    case 3:
      for index in 16..<bytes.count { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
    case 4:
      for index in 16..<bytes.count { bytes[index] = 0xFF }
    default:
      for _ in 0..<40 {
        let place = Int.random(in: 16..<bytes.count, using: &generator)
        bytes[place] = [0, 1, 0x7F, 0xFF].randomElement(using: &generator) ?? 0
      }
    }
  }

  /// Reads with all functions and touches every byte; returns whether something was found to be damaged.
  private func readEverything(
    _ environment: Environment,
    _ items: Database,
    _ keys: [String],
    _ comment: Comment
  ) throws -> Bool {
    var isDamaged = false
    func attempt(_ body: (ReadTransaction) throws -> Void) throws {
      do { try environment.read(body) } catch let error as LMDBError {
        #expect(error.code == .damaged, comment)
        isDamaged = true
      }
    }
    var sum = 0
    func touch(_ bytes: UnsafeRawBufferPointer) {
      var place = 0
      while place + 8 <= bytes.count {
        sum &+= bytes.loadUnaligned(fromByteOffset: place, as: Int.self)
        place += 8
      }
      while place < bytes.count {
        sum &+= Int(bytes[place])
        place += 1
      }
    }
    for key in keys {
      try attempt { transaction in
        try bytes(key) { try transaction.get(items, $0).map(touch) }
      }
    }
    try attempt { transaction in
      let cursor = try transaction.cursor(items)
      while try cursor.next() {
        touch(cursor.key)
        touch(cursor.value)
      }
      while try cursor.previous() { touch(cursor.value) }
    }
    for reversed in [false, true] {
      try attempt { transaction in
        try bytes(keys[300]) { start in
          try transaction.forEachRun(items, from: start, reversed: reversed) { run in
            for index in 0..<run.count {
              touch(run.key(index))
              touch(run.value(index))
            }
            return true
          }
        }
      }
    }
    for step in [7, -7, 400, -400] {
      try attempt { transaction in
        let cursor = try transaction.cursor(items)
        while try cursor.skip(step) { touch(cursor.value) }
      }
    }
    for key in keys.prefix(40) {
      try attempt { transaction in
        try bytes(key) { from in
          sum &+= try transaction.estimatedCount(items, from: from)
          sum &+= try transaction.exactCount(items, to: from)
          let cursor = try transaction.cursor(items)
          if try cursor.seek(atOrBefore: from) { touch(cursor.value) }
        }
      }
    }
    return isDamaged || sum == 0
  }
}
