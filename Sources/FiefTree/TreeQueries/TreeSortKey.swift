import Fief

/// The value by which a query orders a child.
enum TreeSortValue {
  /// The child has nothing at the place that orders it.
  case absent
  case leaf(JSON)
  /// The child has children at the place that orders it.
  case node
}

/// The position of a child in an order: bytes that compare like its value and then its name.
///
/// The bytes are a text in UTF-8 without U+0000 and U+0001. A value begins with a character for its type. A
/// number is followed by the greatest double that is not above it and by their difference, so integers and
/// doubles compare exactly and equal numbers have equal bytes. A text is followed by its scalars, in which
/// U+0003 escapes U+0000 to U+0003, and by U+0002. Names are components as in ``TreeComponent``, but are
/// never cut.
struct TreeSortKey: Sendable, Hashable, Comparable {
  /// The characters for the types of values, in their order.
  private enum Mark {
    static let absent = UInt8(ascii: "0")
    static let isFalse = UInt8(ascii: "1")
    static let isTrue = UInt8(ascii: "2")
    static let number = UInt8(ascii: "3")
    static let text = UInt8(ascii: "4")
    static let node = UInt8(ascii: "5")
  }

  private static let textEnd: UInt8 = 0x02
  private static let escape: UInt8 = 0x03
  /// The number of characters of a number.
  private static let numberCount = 13
  /// A byte that sorts after all bytes with which a key goes on.
  static let afterAll: UInt8 = 0xFF
  /// A byte that sorts before all bytes with which a key goes on.
  static let beforeAll: UInt8 = 0

  private(set) var bytes: [UInt8] = []

  init() {}

  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ value: TreeSortValue, name: String) {
    append(value)
    append(name: name)
  }

  static func < (first: TreeSortKey, second: TreeSortKey) -> Bool { first.compare(second) < 0 }

  /// Returns a negative number if the key comes before another one, and 0 if they are equal.
  func compare(_ other: TreeSortKey) -> Int {
    bytes.withUnsafeBytes { bytes in other.bytes.withUnsafeBytes { bytes.compare($0) } }
  }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ value: TreeSortValue) {
    switch value {
    case .absent: bytes.append(Mark.absent)
    case .node: bytes.append(Mark.node)
    case .leaf(.null): bytes.append(Mark.absent)
    case .leaf(.bool(let value)): bytes.append(value ? Mark.isTrue : Mark.isFalse)
    case .leaf(.int(let value)):
      var floor = Double(value)
      // The nearest double may be above the integer, or be 2^63.
      if Int64(exactly: floor).map({ $0 > value }) ?? true { floor = floor.nextDown }
      append(floor, rest: UInt64(value - Int64(floor)))
    // Minus zero is equal to zero.
    case .leaf(.double(let value)): append(value == 0 ? 0 : value, rest: 0)
    case .leaf(.string(let text)): append(text)
    case .leaf(.array), .leaf(.object): bytes.append(Mark.node)
    }
  }

  private mutating func append(_ floor: Double, rest: UInt64) {
    bytes.append(Mark.number)
    let bits = floor.bitPattern
    // Inverts the bits of negative numbers, so that the order of the bits is the order of the numbers.
    let ordered = bits ^ (UInt64(bitPattern: Int64(bitPattern: bits) >> 63) | 1 << 63)
    for shift in stride(from: UInt64(60), through: 0, by: -6) {
      bytes.append(IntegerName.alphabet[Int(ordered >> shift & 63)])
    }
    // Doubles near 2^63 are 1,024 apart.
    bytes.append(IntegerName.alphabet[Int(rest >> 6 & 63)])
    bytes.append(IntegerName.alphabet[Int(rest & 63)])
  }

  private mutating func append(_ text: String) {
    bytes.append(Mark.text)
    bytes.reserveCapacity(bytes.count + text.utf8.count + 1)
    for byte in text.utf8 {
      if byte > Self.escape {
        bytes.append(byte)
      } else {
        bytes.append(Self.escape)
        bytes.append(byte + 2)
      }
    }
    bytes.append(Self.textEnd)
  }

  mutating func append(name: String) {
    var name = name
    name.withUTF8 { name in
      if let integer = IntegerName(UnsafeRawBufferPointer(name)) {
        bytes.append(TreeComponent.integerMark)
        integer.append(to: &bytes)
      } else {
        bytes.append(TreeComponent.textMark)
        bytes.append(contentsOf: name)
        bytes.append(TreeComponent.textEnd)
      }
    }
  }

  mutating func append(_ path: TreePath) {
    for name in path.names { append(name: name) }
  }

  // MARK: Reading

  /// The names after the value; `nil` if the bytes are no position.
  var path: TreePath? { endOfValue.flatMap { start in bytes.withUnsafeBytes { Self.path($0, from: start) } } }

  private static func path(_ bytes: UnsafeRawBufferPointer, from start: Int) -> TreePath? {
    var offset = start
    var names: [String] = []
    while offset < bytes.count {
      let start = offset + 1
      switch bytes[offset] {
      case TreeComponent.integerMark:
        offset = start + IntegerName.count
        guard offset <= bytes.count, let integer = IntegerName(characters: bytes[start..<offset]) else {
          return nil
        }
        names.append(integer.name)
      case TreeComponent.textMark:
        guard let end = bytes[start...].firstIndex(of: TreeComponent.textEnd),
          let name = UnsafeRawBufferPointer(rebasing: bytes[start..<end]).text,
          (try? TreeName.check(name, path: "")) != nil
        else { return nil }
        names.append(name)
        offset = end + 1
      default: return nil
      }
    }
    return names.isEmpty ? nil : TreePath(names: names)
  }

  private var endOfValue: Int? {
    switch bytes.first {
    case Mark.absent, Mark.isFalse, Mark.isTrue, Mark.node: return 1
    case Mark.number: return bytes.count > Self.numberCount ? Self.numberCount + 1 : nil
    case Mark.text:
      var offset = 1
      while offset < bytes.count, bytes[offset] != Self.textEnd {
        offset += bytes[offset] == Self.escape ? 2 : 1
      }
      return offset < bytes.count ? offset + 1 : nil
    default: return nil
    }
  }
}

/// A part of an order: the keys from the first one up to, but not including, the second one.
struct TreeRange: Sendable {
  /// `nil` if the range begins with the first key.
  var start: TreeSortKey?
  /// `nil` if the range ends with the last key.
  var end: TreeSortKey?

  func contains(_ key: TreeSortKey) -> Bool { !(start.map { key < $0 } ?? false) && !isAfter(key) }

  /// Whether a key comes after the range.
  func isAfter(_ key: TreeSortKey) -> Bool { end.map { $0 <= key } ?? false }

  /// Whether a key comes before the range.
  func isBefore(_ key: TreeSortKey) -> Bool { start.map { key < $0 } ?? false }
}
