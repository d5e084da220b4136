/// A name that is an integer of 32 bits, possibly with leading zeros: `-?0*[0-9]{1,10}`.
///
/// Value, length and sign determine the name, so it can be written in a fixed number of characters whose
/// bytes compare like the names: by value, then by length, then by bytes.
struct IntegerName: Comparable {
  /// The number of characters of ``append(to:)``.
  static let count = 9

  let value: Int32
  /// The length of the name in bytes.
  let length: Int
  let isNegative: Bool

  /// - Returns: `nil` if the bytes are no such name.
  init?(_ bytes: some RandomAccessCollection<UInt8>) {
    guard let first = bytes.first, first == UInt8(ascii: "-") || Self.isDigit(first) else { return nil }
    isNegative = first == UInt8(ascii: "-")
    length = bytes.count
    let digits = isNegative ? bytes.dropFirst() : bytes[...]
    if digits.isEmpty || length > TreeName.longest { return nil }
    var magnitude: Int64 = 0
    for digit in digits {
      guard Self.isDigit(digit), magnitude <= Int64(Int32.max) else { return nil }
      magnitude = magnitude * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    guard let value = Int32(exactly: isNegative ? -magnitude : magnitude) else { return nil }
    self.value = value
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  static func < (first: IntegerName, second: IntegerName) -> Bool {
    if first.value != second.value { return first.value < second.value }
    if first.length != second.length { return first.length < second.length }
    // Only zero has two names of one length, and a minus sorts before a digit.
    return first.isNegative && !second.isNegative
  }

  // MARK: Characters

  /// 64 characters of ASCII in the order of their bytes. They never end a component.
  static let alphabet = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

  /// Returns the value of a character of the alphabet; `nil` for other bytes.
  static func digit(_ character: UInt8) -> Int? {
    let digit = digits[Int(character)]
    return digit < 0 ? nil : digit
  }

  private static let digits: [Int] = {
    var digits = [Int](repeating: -1, count: 256)
    for (digit, character) in alphabet.enumerated() { digits[Int(character)] = digit }
    return digits
  }()

  /// Appends six characters for the value, two for the length and one for the sign.
  func append(to bytes: inout [UInt8]) {
    let ordered = UInt64(UInt32(bitPattern: value) ^ 0x8000_0000)
    let number = ordered << 18 | UInt64(length) << 6 | (isNegative ? 0 : 1)
    for shift in stride(from: 48, through: 0, by: -6) {
      bytes.append(Self.alphabet[Int(number >> UInt64(shift) & 63)])
    }
  }

  /// Reads the characters of ``append(to:)``.
  ///
  /// - Returns: `nil` if ``append(to:)`` does not write these characters for any name.
  init?(characters: some Sequence<UInt8>) {
    var number: UInt64 = 0
    var count = 0
    for character in characters {
      let digit = Self.digits[Int(character)]
      if digit < 0 || count == Self.count { return nil }
      number = number << 6 | UInt64(digit)
      count += 1
    }
    let sign = number & 63
    guard count == Self.count, sign <= 1, number >> 18 <= UInt64(UInt32.max) else { return nil }
    value = Int32(bitPattern: UInt32(truncatingIfNeeded: number >> 18) ^ 0x8000_0000)
    length = Int(number >> 6 & 0xFFF)
    isNegative = sign == 0
    guard value == 0 || (value < 0) == isNegative, length <= TreeName.longest, zeros >= 0 else { return nil }
  }

  private var magnitude: String { String(value.magnitude) }
  /// The number of leading zeros.
  private var zeros: Int { length - (isNegative ? 1 : 0) - magnitude.utf8.count }

  /// The name.
  var name: String { (isNegative ? "-" : "") + String(repeating: "0", count: zeros) + magnitude }
}
