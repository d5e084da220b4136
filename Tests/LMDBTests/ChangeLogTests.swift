import Foundation
import LMDB
import TestEffort
import Testing

/// The changes of a write transaction, made again on another environment of the same state.
@Suite struct ChangeLogTests {
  let scratch = Scratch()

  private struct Undone: Error {}

  private enum Change {
    case database(String)
    case removeAll
    case drop
    case put([UInt8], [UInt8])
    case delete([UInt8])
  }

  private func contents(_ environment: Environment) throws -> [String: [[UInt8]: [UInt8]]] {
    try environment.read { transaction in
      var result: [String: [[UInt8]: [UInt8]]] = [:]
      for name in try transaction.databaseNames() {
        var entries: [[UInt8]: [UInt8]] = [:]
        let database = try #require(try transaction.database(named: name))
        let cursor = try transaction.cursor(database)
        var found = try cursor.first()
        while found {
          entries[Array(cursor.key)] = Array(cursor.value)
          found = try cursor.next()
        }
        result[name] = entries
      }
      return result
    }
  }

  private func replay(_ changes: [Change], in transaction: WritableTransaction) throws {
    var current: Database?
    for change in changes {
      if case .database(let name) = change {
        current = try transaction.openDatabase(named: name)
        continue
      }
      let database = try #require(current)
      switch change {
      case .database: break
      case .removeAll: try transaction.removeAll(database)
      case .drop: try transaction.drop(database)
      case .put(let key, let value):
        try key.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.put(database, key, $0) }
        }
      case .delete(let key): _ = try key.withUnsafeBytes { try transaction.delete(database, $0) }
      }
    }
  }

  @Test("made again they give the same, once and twice", arguments: 1...TestEffort.count(2, more: 20))
  func madeAgain(seed: Int) throws {
    var random = SeededRandom(state: UInt64(seed))
    let source = try Environment.open(directory: scratch["source"], options: .small())
    let copy = try Environment.open(directory: scratch["copy"], options: .small())
    defer {
      source.close()
      copy.close()
    }
    for round in 0..<12 {
      var changes: [Change] = []
      let start = random
      try source.write { transaction in
        random = start
        changes = []
        transaction.recordChanges()
        for _ in 0..<8 { try change(transaction, &random, round) }
        try transaction.forEachRecordedChange { change in
          switch change {
          case .database(let name): changes.append(.database(name))
          case .removeAll: changes.append(.removeAll)
          case .drop: changes.append(.drop)
          case .put(let key, let value): changes.append(.put(Array(key), Array(value)))
          case .delete(let key): changes.append(.delete(Array(key)))
          }
        }
      }
      let wanted = try contents(source)
      for _ in 0..<2 {
        try copy.write { try replay(changes, in: $0) }
        #expect(try contents(copy) == wanted, "seed \(seed), round \(round)")
      }
    }
  }

  private func change(_ transaction: WritableTransaction, _ random: inout SeededRandom, _ round: Int) throws {
    let name = "tree \(Int.random(in: 0..<4, using: &random))"
    switch Int.random(in: 0..<14, using: &random) {
    case 0: try transaction.removeAll(try transaction.openDatabase(named: name))
    case 1: try transaction.drop(try transaction.openDatabase(named: name))
    case 2, 3:
      let isUndone = Bool.random(using: &random)
      do {
        try transaction.nested { nested in
          for _ in 0..<4 { try change(nested, &random, round) }
          if isUndone { throw Undone() }
        }
      } catch is Undone {}
    default: try putSome(transaction, try transaction.openDatabase(named: name), &random)
    }
  }

  private func putSome(_ transaction: WritableTransaction, _ database: Database, _ random: inout SeededRandom)
    throws
  {
    let cursor = try transaction.writeCursor(database)
    for _ in 0..<30 {
      let key = Array("\(Int.random(in: 0..<200, using: &random))".utf8)
      let value = [UInt8](repeating: UInt8.random(in: 0...9, using: &random), count: Int(random.next() % 600))
      let choice = Int.random(in: 0..<9, using: &random)
      try key.withUnsafeBytes { key in
        try value.withUnsafeBytes { value in
          switch choice {
          case 0: try transaction.put(database, key, value)
          case 1: _ = try transaction.putIfAbsent(database, key, value)
          case 2: try transaction.append(database, key, value)
          case 3: try transaction.reserve(database, key, count: value.count) { $0.copyMemory(from: value) }
          case 4: _ = try transaction.delete(database, key)
          case 5: try cursor.put(key, value)
          case 6: _ = try cursor.delete(key)
          default:
            let place = try transaction.cursor(database)
            guard try place.seek(atOrAfter: key) else { return }
            if choice == 7 { try place.put(value) } else { try place.delete() }
          }
        }
      }
    }
  }
}

private struct SeededRandom: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
