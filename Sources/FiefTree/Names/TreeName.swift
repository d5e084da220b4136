import Fief
import FiefRules

/// The rules for the names of a tree's nodes: their bytes, their length and their order.
enum TreeName {
  /// The maximum length of a name in bytes.
  static let longest = PlaceName.longest

  /// The refused bytes below 64 as bits: the control characters and `#$./`.
  private static let lowRefused: UInt64 = 0xFFFF_FFFF | 1 << 0x23 | 1 << 0x24 | 1 << 0x2E | 1 << 0x2F
  /// The refused bytes from 64 to 127 as bits: `[`, `]` and U+007F.
  private static let highRefused: UInt64 = 1 << (0x5B - 64) | 1 << (0x5D - 64) | 1 << (0x7F - 64)

  /// Returns whether names must not contain a byte. All such bytes are ASCII.
  @inline(__always)
  static func isRefused(_ byte: UInt8) -> Bool {
    byte < 0x80 && (byte < 64 ? lowRefused : highRefused) >> UInt64(byte & 63) & 1 != 0
  }

  /// Checks a name.
  ///
  /// - Parameters:
  ///   - path: the path of the name, for the error.
  ///   - position: the first line of the error's details, for a name in a file.
  /// - Throws: `FiefError` of code `invalidTreeKey`.
  static func check(_ name: String, path: @autoclosure () -> String, at position: String? = nil)
    throws(FiefError)
  {
    let count = name.utf8.count
    if count == 0 { throw invalid("A name is empty.", path: path(), at: position) }
    if count > longest {
      let line = "the name has \(count) bytes"
      throw invalid("A name is longer than \(longest) bytes.", path: path(), at: position, [line])
    }
    var text = name
    guard let byte = text.withUTF8({ $0.first(where: isRefused) }) else { return }
    let digits = String(byte, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: 4 - digits.count) + digits
    throw invalid(
      "A name contains a character that names must not contain.",
      path: path(),
      at: position,
      ["name: " + HiddenValue.text(name), "character: " + code]
    )
  }

  /// Creates an error about a name. The path is shown only with the values of errors.
  static func invalid(
    _ message: String,
    path: String,
    at position: String? = nil,
    _ details: [String] = []
  ) -> FiefError {
    let lines = (position.map { [$0] } ?? []) + ["path: " + HiddenValue.text(path)]
    return FiefError(.invalidTreeKey, message, details: lines + details)
  }

  /// Returns whether the first name comes before the second one in the order of a tree.
  static func precedes(_ first: String, _ second: String) -> Bool {
    var (first, second) = (first, second)
    return first.withUTF8 { first in
      second.withUTF8 { second in
        precedes(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer(second))
      }
    }
  }

  private static func precedes(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    switch (IntegerName(first), IntegerName(second)) {
    case (let first?, let second?): first < second
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): first.lexicographicallyPrecedes(second)
    }
  }
}
