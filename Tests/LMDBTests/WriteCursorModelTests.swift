import Foundation
import LMDB
import TestEffort
import Testing

@Suite struct WriteCursorModelTests {
  let scratch = Scratch()

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  @Test(
    "two cursors, direct writes and nested transactions agree with a dictionary",
    arguments: 1...TestEffort.count(3, more: 10)
  )
  func model(seed: Int) throws {
    var random = Generator(state: UInt64(seed))
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    var model: [String: String] = [:]
    for _ in 0..<6 {
      let start = model
      var attempt = start
      let saved = random
      try environment.write { transaction throws in
        attempt = start
        random = saved
        var cursors = [try transaction.writeCursor(items), try transaction.writeCursor(items)]
        for step in 0..<400 {
          let number = Int.random(in: 0..<(seed % 3 == 0 ? 40 : 600), using: &random)
          let key =
            Bool.random(using: &random) ? String(format: "%04d", number) : String(format: "%04d", step)
          let length =
            Int.random(in: 0..<20, using: &random) == 0 ? 5000 : Int.random(in: 0..<300, using: &random)
          let value = String(repeating: "v", count: length) + "\(step)"
          let cursor = cursors[Int.random(in: 0...1, using: &random)]
          switch Int.random(in: 0..<12, using: &random) {
          case 0...3:
            try bytes(key) { k in try bytes(value) { v in try cursor.put(k, v) } }
            attempt[key] = value
          case 4, 5:
            let added = try bytes(key) { k in try bytes(value) { v in try cursor.putIfAbsent(k, v) } }
            #expect(added == (attempt[key] == nil))
            if added { attempt[key] = value }
          case 6, 7:
            let found = try bytes(key) { k in try cursor.get(k).map { String(decoding: $0, as: UTF8.self) } }
            #expect(found == attempt[key])
          case 8:
            let removed = try bytes(key) { try cursor.delete($0) }
            #expect(removed == (attempt[key] != nil))
            attempt[key] = nil
          case 9:
            _ = try transaction.delete(items, key)
            attempt[key] = nil
          case 10:
            cursors[0] = try transaction.writeCursor(items)
          default:
            let fails = Bool.random(using: &random)
            if Int.random(in: 0..<8, using: &random) == 0 {
              try transaction.removeAll(items)
              attempt = [:]
              cursors = [try transaction.writeCursor(items), try transaction.writeCursor(items)]
            } else {
              struct Undo: Error {}
              do {
                try transaction.nested { child throws in
                  let inner = try child.writeCursor(items)
                  try bytes(key) { k in try bytes(value) { v in try inner.put(k, v) } }
                  if fails { throw Undo() }
                }
                attempt[key] = value
              } catch is Undo {}
            }
          }
        }
      }
      model = attempt
      try environment.read { transaction throws in
        let count = try transaction.count(items)
        #expect(count == model.count)
        for (key, value) in model {
          let found = try transaction.text(items, key)
          #expect(found == value)
        }
      }
    }
  }
}
