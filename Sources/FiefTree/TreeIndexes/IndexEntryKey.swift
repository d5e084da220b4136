import Fief
import LMDB

/// The object keys of entries: the number of the parent, then the position of a child as text.
///
/// A position of more than 466 bytes is cut at a scalar, and followed by U+10FFFF and a counter. All
/// positions with the same beginning then have a run of keys, and their records have them whole. The mark
/// keeps the order, as in ``TreeComponent``: if the next scalar does not fit, every shorter scalar sorts
/// before it.
enum IndexEntryKey {
  /// The maximum length of a position that is not cut, in bytes.
  static let longestWhole = 466
  /// The number of characters of a counter: 60 bits.
  private static let counterCount = 10
  static let greatestCounter = (1 << 60) - 1
  /// The maximum length of a text, in bytes.
  static let longest = longestWhole + TreeComponent.cutMark.count + counterCount

  /// Returns the text that all keys of a position begin with; the whole text unless the position is cut.
  static func beginning(of position: [UInt8]) -> [UInt8] {
    isCut(position) ? Array(position[..<cut(position)]) + TreeComponent.cutMark : position
  }

  static func isCut(_ position: [UInt8]) -> Bool { position.count > longestWhole }

  private static func cut(_ position: [UInt8]) -> Int {
    var end = longestWhole
    while position[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  /// Returns bytes at or after which the keys of a position and of all later ones are.
  static func lowerBound(_ number: Int, _ position: [UInt8]) -> [UInt8] {
    NodeKey.prefix(number, isCut(position) ? Array(position[..<cut(position)]) : position)
  }

  /// Returns bytes before which the keys of a position and of all earlier ones are.
  static func upperBound(_ number: Int, _ position: [UInt8]) -> [UInt8] {
    // The key of the position itself goes on with the end of its text.
    guard isCut(position) else { return NodeKey.prefix(number, position) + [1] }
    return end(of: NodeKey.prefix(number, beginning(of: position)))
  }

  /// Returns bytes after all keys that begin with a prefix.
  static func end(of prefix: [UInt8]) -> [UInt8] { prefix + [TreeSortKey.afterAll] }

  /// Returns the key of a whole position.
  static func key(_ number: Int, _ position: [UInt8]) -> [UInt8] { NodeKey.key(number, position) }

  /// Returns the key of a cut position.
  static func key(_ number: Int, _ beginning: [UInt8], counter: Int) -> [UInt8] {
    var text = beginning
    for shift in stride(from: 6 * (counterCount - 1), through: 0, by: -6) {
      text.append(IntegerName.alphabet[counter >> shift & 63])
    }
    return NodeKey.key(number, text)
  }

  /// Returns the counter of a key; `nil` if its text does not end with one.
  static func counter(of text: UnsafeRawBufferPointer) -> Int? {
    guard text.count >= counterCount else { return nil }
    var counter = 0
    for character in text.suffix(counterCount) {
      guard let digit = IntegerName.digit(character) else { return nil }
      counter = counter << 6 | digit
    }
    return counter
  }

  /// Reads a key.
  ///
  /// - Returns: the number, and the text inside `key`; `nil` if the bytes are no key of an entry.
  static func read(_ key: UnsafeRawBufferPointer) -> (number: Int, text: UnsafeRawBufferPointer)? {
    NodeKey.read(key, longest: longest).map { (number: $0.segment, text: $0.place) }
  }
}
