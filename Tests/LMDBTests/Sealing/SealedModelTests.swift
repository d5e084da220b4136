import Foundation
import LMDB
import TestEffort
import Testing

/// Random writes to sealed trees beside readers on other threads: each reader sees the values of its commit.
@Suite(.timeLimit(.minutes(30))) struct SealedModelTests {
  let scratch = Scratch()

  /// Each value has the number of its commit, and each commit changes all keys of its group: a reader that sees two numbers in
  /// one group reads a page that was opened for another commit.
  @Test("readers see one commit while pages are used again", arguments: 1...8)
  func readersBesideAWriter(seed: Int) throws {
    var options = EnvironmentOptions.small(seed % 2 == 0 ? 64 << 20 : 1 << 20)
    // Opened pages that stay are used again when LMDB has used theirs again; few of them are given up again and again.
    if seed > 4 { options.openedPagesLimit = 200 << 10 }
    if (seed - 1) / 2 % 2 == 1 { options.durability = .none }
    let environment = try Environment.openSealed(scratch["store"], options)
    defer { environment.close() }
    let items = try environment.database("items")
    let done = Flag()
    try Self.write(environment, items, commit: 0, seed: seed)
    onThreads(4) { thread in
      if thread == 0 {
        defer { done.set() }
        for commit in 1...TestEffort.count(8, more: 60) {
          try Self.write(environment, items, commit: commit, seed: seed)
        }
        return
      }
      var random = Generator(state: UInt64(seed * 100 + thread))
      while !done.isSet {
        try environment.read { transaction throws in
          let isLong = Int.random(in: 0..<10, using: &random) == 0
          var numbers: Set<Int> = []
          for round in 0..<(isLong ? 6 : 1) {
            if round > 0 { usleep(2000) }
            if Bool.random(using: &random) {
              try transaction.forEachRun(items) { run in
                for index in 0..<run.count {
                  numbers.insert(try Self.number(run.key(index), run.value(index)))
                }
                return true
              }
            } else {
              for _ in 0..<20 {
                let key = Self.key(Int.random(in: 0..<300, using: &random))
                let value = try bytes(key) { key in
                  try transaction.get(items, key).map { try Self.number(key, $0) }
                }
                if let value { numbers.insert(value) }
              }
            }
          }
          if numbers.count != 1 {
            throw Wrong(text: "seed \(seed): a reader sees the commits \(numbers.sorted())")
          }
        }
      }
    }
  }

  private struct Wrong: Error { let text: String }

  private static func key(_ index: Int) -> String { String(format: "key %03d", index) }

  private static func number(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Int {
    let words = String(decoding: value, as: UTF8.self).split(separator: "|")
    guard words.count >= 2, words[1] == String(decoding: key, as: UTF8.self), let number = Int(words[0])
    else {
      throw Wrong(text: "the value of another key: \(words.prefix(2))")
    }
    return number
  }

  private static func write(_ environment: Environment, _ items: Database, commit: Int, seed: Int) throws {
    var random = Generator(state: UInt64(seed) << 32 | UInt64(commit))
    let fails = commit > 0 && Int.random(in: 0..<5, using: &random) == 0
    struct Undo: Error {}
    do {
      try environment.write { transaction throws in
        for index in 0..<300 {
          let key = Self.key(index)
          let length =
            Int.random(in: 0..<30, using: &random) == 0 ? 6000 : Int.random(in: 0..<120, using: &random)
          try transaction.put(items, key, "\(commit)|\(key)|" + String(repeating: "v", count: length))
          if Int.random(in: 0..<10, using: &random) == 0 {
            let found = try bytes(key) { key in
              try transaction.get(items, key).map { try Self.number(key, $0) }
            }
            #expect(found == commit)
          }
        }
        if fails { throw Undo() }
      }
    } catch is Undo {}
  }

  @Test(
    "random changes agree with a dictionary, in the write and after it",
    arguments: 1...TestEffort.count(4, more: 12)
  )
  func model(seed: Int) throws {
    var random = Generator(state: UInt64(seed))
    var options = EnvironmentOptions.small()
    if seed % 2 == 0 { options.openedPagesLimit = 64 << 10 }
    let environment = try Environment.openSealed(scratch["store"], options)
    defer { environment.close() }
    let items = try environment.database("items")
    var model: [String: String] = [:]
    for _ in 0..<15 {
      let (start, saved) = (model, random)
      try environment.write { transaction throws in
        (model, random) = (start, saved)
        for step in 0..<60 {
          let key = Self.key(Int.random(in: 0..<200, using: &random))
          switch Int.random(in: 0..<6, using: &random) {
          case 0...2:
            let length =
              Int.random(in: 0..<12, using: &random) == 0 ? 9000 : Int.random(in: 0..<200, using: &random)
            let value = "\(step)" + String(repeating: "w", count: length)
            try transaction.put(items, key, value)
            model[key] = value
          case 3:
            #expect(try transaction.delete(items, key) == (model[key] != nil))
            model[key] = nil
          default: #expect(try transaction.text(items, key) == model[key], "seed \(seed)")
          }
        }
      }
      for _ in 0..<2 {
        try environment.read { transaction throws in
          var found: [String: String] = [:]
          try transaction.forEachRun(items) { run in
            for index in 0..<run.count {
              found[String(decoding: run.key(index), as: UTF8.self)] = String(
                decoding: run.value(index),
                as: UTF8.self
              )
            }
            return true
          }
          #expect(found == model, "seed \(seed)")
        }
      }
    }
  }
}
