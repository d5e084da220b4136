import LMDB
import Testing

/// The required behaviour of a cursor, on a sorted array.
struct ModelCursor {
  enum Place: Equatable { case nowhere, beforeFirst, afterLast, entry(Int) }

  let keys: [[UInt8]]
  var place = Place.nowhere

  var current: [UInt8]? {
    if case .entry(let index) = place { return keys[index] }
    return nil
  }

  /// The number of keys that are less.
  func rank(_ key: [UInt8]) -> Int {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle].lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func contains(_ key: [UInt8]) -> Bool {
    let rank = rank(key)
    return rank < keys.count && keys[rank] == key
  }

  mutating func first() -> Bool { go(to: 0) }
  mutating func last() -> Bool {
    place = keys.isEmpty ? .afterLast : .entry(keys.count - 1)
    return !keys.isEmpty
  }

  mutating func skip(_ count: Int) -> Bool {
    switch place {
    case .entry(let index): return count == 0 || go(to: index + count)
    case .nowhere: return count != 0 && go(to: count > 0 ? count - 1 : keys.count + count)
    case .beforeFirst: return count > 0 && go(to: count - 1)
    case .afterLast: return count < 0 && go(to: keys.count + count)
    }
  }

  /// Goes to an index, or to before or behind the entries.
  mutating func go(to index: Int) -> Bool {
    if index < 0 {
      place = .beforeFirst
    } else if index >= keys.count {
      place = .afterLast
    } else {
      place = .entry(index)
    }
    return keys.indices.contains(index)
  }
}

/// Entries of any size: short and long keys, empty values and such that need pages of their own.
struct RandomEntries {
  var generator: Generator
  /// The longest key and the longest usual value.
  let keySize: Int
  let valueSize: Int
  /// The number of bytes that each byte of a key is chosen from.
  let alphabet: Int

  init(seed: UInt64) {
    generator = Generator(state: seed)
    keySize = [4, 8, 12, 30, 511].randomElement(using: &generator) ?? 4
    valueSize = [0, 10, 200, 1500].randomElement(using: &generator) ?? 0
    alphabet = [2, 10, 256].randomElement(using: &generator) ?? 2
  }

  mutating func key() -> [UInt8] {
    let count = Bool.random(using: &generator) ? keySize : Int.random(in: 1...keySize, using: &generator)
    return (0..<count).map { _ in UInt8(Int.random(in: 0..<alphabet, using: &generator) * (255 / alphabet)) }
  }

  mutating func value() -> [UInt8] {
    let isLong = Int.random(in: 0..<40, using: &generator) == 0
    let count = isLong ? Int.random(in: 2000...9000, using: &generator) : valueSize
    let byte = UInt8.random(in: 0...255, using: &generator)
    return [UInt8](repeating: byte, count: count == 0 ? 0 : Int.random(in: 0...count, using: &generator))
  }
}
