import Foundation
import LMDB
import TestEffort
import Testing

/// Values of sealed trees: written and read by each way there is, and in no file.
@Suite struct SealedTreeTests {
  let scratch = Scratch()
  private let marker = "a marker that is 32 bytes long.."

  private func file(_ store: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: scratch[store] + "/data.mdb"))
  }

  @Test("values by each way of writing are read by each way of reading, and are in no page of the file")
  func allWays() throws {
    let environment = try Environment.openSealed(scratch["store"])
    let items = try environment.database("items")
    let long = String(repeating: marker, count: 400)
    var model: [String: String] = [:]
    try environment.write { transaction throws in
      try transaction.put(items, "a", marker + "a")
      _ = try bytes("b") { k in try bytes(marker + "b") { try transaction.putIfAbsent(items, k, $0) } }
      let again = try bytes("b") { k in try bytes(marker + "x") { try transaction.putIfAbsent(items, k, $0) }
      }
      #expect(!again)
      try bytes("c") { k in try bytes(long) { try transaction.append(items, k, $0) } }
      try bytes("d") { k in
        try transaction.reserve(items, k, count: marker.utf8.count) { $0.copyBytes(from: Array(marker.utf8)) }
      }
      let writer = try transaction.writeCursor(items)
      try bytes("e") { k in try bytes(marker + "e") { try writer.put(k, $0) } }
      try bytes("f") { k in try bytes("1234" + marker) { try writer.put(k, $0, beginningWith: 0x6161_6161) } }
      try bytes("g") { k in try bytes(long + "g") { try writer.put(k, $0, beginningWith: 0x6262_6262) } }
      let read = try bytes("g") { try writer.get($0).map { String(decoding: $0, as: UTF8.self) } }
      #expect(read == "bbbb" + String((long + "g").dropFirst(4)))
      try transaction.put(items, "h", "")
      let cursor = try transaction.cursor(items)
      #expect(try bytes("a") { try cursor.seek(exactly: $0) })
      try bytes(marker + "A") { try cursor.put($0) }
      #expect(String(decoding: cursor.value, as: UTF8.self) == marker + "A")
      try transaction.nested { child throws in try child.put(items, "i", marker + "i") }
      model = [
        "a": marker + "A", "b": marker + "b", "c": long, "d": marker, "e": marker + "e", "f": "aaaa" + marker,
        "g": "bbbb" + String((long + "g").dropFirst(4)), "h": "", "i": marker + "i",
      ]
      try check(model, items, transaction)
    }
    try environment.read { try check(model, items, $0) }
    #expect(try file("store").range(of: Data(marker.utf8)) == nil)
    try environment.write { transaction throws in
      try check(model, items, transaction)
      #expect(try transaction.delete(items, "c"))
      model["c"] = nil
      try check(model, items, transaction)
    }
    environment.close()
    let again = try Environment.openSealed(scratch["store"])
    defer { again.close() }
    let opened = try again.database("items")
    try again.read { try check(model, opened, $0) }
  }

  private func check(_ model: [String: String], _ items: Database, _ transaction: Transaction) throws {
    for (key, value) in model { #expect(try transaction.text(items, key) == value) }
    var found: [String: String] = [:]
    let cursor = try transaction.cursor(items)
    while try cursor.next() {
      found[String(decoding: cursor.key, as: UTF8.self)] = String(decoding: cursor.value, as: UTF8.self)
    }
    #expect(found == model)
    for reversed in [false, true] {
      found = [:]
      try transaction.forEachRun(items, reversed: reversed) { run in
        for index in 0..<run.count {
          found[String(decoding: run.key(index), as: UTF8.self)] = String(
            decoding: run.value(index),
            as: UTF8.self
          )
        }
        return true
      }
      #expect(found == model)
    }
    let keys = model.keys.sorted().map { Array($0.utf8) }
    var batch = LookUpBatch(in: transaction)
    let buffers = keys.map { key -> UnsafeMutableRawBufferPointer in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: key.count, alignment: 1)
      buffer.copyBytes(from: key)
      return buffer
    }
    defer { for buffer in buffers { buffer.deallocate() } }
    for buffer in buffers { batch.append(UnsafeRawBufferPointer(buffer)) }
    try batch.prepare(items)
    for index in 0..<batch.count {
      let value = try batch.value(index, in: items).map { String(decoding: $0, as: UTF8.self) }
      #expect(value == model[String(decoding: keys[index], as: UTF8.self)])
    }
    #expect(try transaction.exactCount(items) == model.count)
  }

  @Test("of a tree with some sealed values the others are in clear")
  func someValues() throws {
    let environment = try Environment.openSealed(scratch["store"])
    defer { environment.close() }
    let some = try environment.database("some")
    let clear = try environment.database("clear")
    let model = [
      "open 1": "seen " + marker, "secret 1": "hidden \(marker)1",
      "secret 2": String(repeating: "hidden", count: 2000),
    ]
    try environment.write { transaction throws in
      for (key, value) in model { try transaction.put(some, key, value) }
      try transaction.put(clear, "k", "cleartext")
    }
    try environment.read { try check(model, some, $0) }
    try environment.write { try check(model, some, $0) }
    let file = try file("store")
    #expect(file.range(of: Data("seen \(marker)".utf8)) != nil)
    #expect(file.range(of: Data("cleartext".utf8)) != nil)
    #expect(file.range(of: Data("hidden".utf8)) == nil)
  }

  @Test("a value that was moved, or sealed by another, is damage")
  func movedValues() throws {
    let environment = try Environment.openSealed(scratch["store"])
    let items = try environment.database("items")
    let long = String(repeating: "x", count: 10_000)
    try environment.write { transaction throws in
      try transaction.put(items, "a", "value of a")
      try transaction.put(items, "long", long)
    }
    environment.close()
    // Without a seal the bytes are as they are in the file.
    let raw = try Environment.open(directory: scratch["store"], options: .small())
    let (tree, other) = (try raw.database("items"), try raw.database("other"))
    try raw.write { transaction throws in
      let value = try #require(try bytes("a") { try transaction.get(tree, $0).map { Array($0) } })
      let longValue = try #require(try bytes("long") { try transaction.get(tree, $0).map { Array($0) } })
      try value.withUnsafeBytes { value in
        try bytes("a") { try transaction.put(other, $0, value) }
        try bytes("b") { try transaction.put(tree, $0, value) }
      }
      try longValue.withUnsafeBytes { value in try bytes("long 2") { try transaction.put(other, $0, value) } }
    }
    raw.close()
    let sealed = try Environment.openSealed(scratch["store"])
    defer { sealed.close() }
    let databases = (try sealed.database("items"), try sealed.database("other"))
    #expect(code { try sealed.read { _ = try $0.text(databases.0, "b") } } == .damaged)
    for _ in 0..<20 { #expect(try sealed.read { try $0.text(databases.0, "a") } == "value of a") }
    #expect(try sealed.read { try $0.text(databases.0, "long") } == long)
    #expect(code { try sealed.read { _ = try $0.text(databases.1, "a") } } == .damaged)
    #expect(code { try sealed.read { _ = try $0.text(databases.1, "long 2") } } == .damaged)
    #expect(code { try sealed.write { _ = try $0.text(databases.1, "a") } } == .damaged)
    #expect(
      code { try sealed.read { transaction throws in while try transaction.cursor(databases.1).next() {} } }
        == .damaged
    )
  }

  @Test("a look-up opens its value, look-ups in one page open the page, and nothing is opened twice")
  func openings() throws {
    let sealing = TestSealing()
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    _ = try environment.seal(with: sealing)
    let items = try environment.database("items")
    let count = 1000
    let value = String(repeating: "v", count: 100)
    try environment.write { transaction throws in
      for index in 0..<count { try transaction.put(items, String(format: "%05d", index), value + "\(index)") }
    }
    func opened(_ body: () throws -> Void) rethrows -> Int {
      let before = sealing.openings.load(ordering: .relaxed)
      try body()
      return sealing.openings.load(ordering: .relaxed) - before
    }
    func look(up index: Int) throws {
      let found = try environment.read { try $0.text(items, String(format: "%05d", index)) }
      #expect(found == value + "\(index)")
    }
    // Each of these is in another page.
    for index in stride(from: 0, to: count, by: 100) { #expect(try opened { try look(up: index) } == 1) }
    // They stay until the end of the read.
    try environment.read { transaction throws in
      let keys = stride(from: 50, to: count, by: 100).map { String(format: "%05d", $0) }
      let found = try keys.map { key in try bytes(key) { try transaction.get(items, $0) } }
      for (key, bytes) in zip(keys, found) {
        #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == value + "\(Int(key) ?? 0)")
      }
    }
    // About thirty values are in a page.
    let most = try opened { for _ in 0..<100 { try look(up: 500) } }
    #expect(10..<60 ~= most)
    #expect(try opened { try look(up: 500) } == 0)
    func scan() throws {
      var found = 0
      try environment.read { transaction throws in
        try transaction.forEachRun(items) { run in
          for index in 0..<run.count where run.value(index).starts(with: value.utf8) { found += 1 }
          return true
        }
      }
      #expect(found == count)
    }
    #expect(try opened { try scan() } <= count)
    #expect(try opened { try scan() } == 0)
    #expect(try opened { for index in 0..<count { try look(up: index) } } == 0)
    try environment.write { try $0.put(items, "00500", value + "500") }
    #expect(try opened { try look(up: 500) } == 1)
    #expect(try opened { try look(up: 900) } == 0)
  }

  @Test("a scan in a write sees each value that it has written")
  func manyValuesInAWrite() throws {
    let count = TestEffort.count(1_200, more: 3_000)
    let environment = try Environment.openSealed(scratch["store"], .small(64 << 20))
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { transaction throws in
      for index in 0..<count {
        try transaction.put(items, String(format: "%05d", index), String(repeating: "\(index) ", count: 900))
      }
      let cursor = try transaction.cursor(items)
      for index in 0..<count {
        #expect(try cursor.next())
        #expect(cursor.value.count == "\(index) ".utf8.count * 900)
        #expect(cursor.value.starts(with: "\(index) ".utf8))
      }
    }
  }
}
