/// The order of Debian's version numbers: `[epoch:]upstream[-revision]`, `~` before everything.
enum DebianVersion {
  /// Less than zero when `left` is earlier than `right`, zero when they are the same version.
  static func compare(_ left: String, _ right: String) -> Int {
    let first = Parts(left)
    let second = Parts(right)
    if first.epoch != second.epoch { return first.epoch < second.epoch ? -1 : 1 }
    let upstream = comparePart(first.upstream, second.upstream)
    return upstream != 0 ? upstream : comparePart(first.revision, second.revision)
  }

  private struct Parts {
    var epoch = 0
    var upstream: Substring.UTF8View
    var revision: Substring.UTF8View

    init(_ text: String) {
      var rest = text[...].utf8
      if let colon = rest.firstIndex(of: UInt8(ascii: ":")), let number = Int(text[..<colon]) {
        epoch = number
        rest = rest[rest.index(after: colon)...]
      }
      if let dash = rest.lastIndex(of: UInt8(ascii: "-")) {
        upstream = rest[..<dash]
        revision = rest[rest.index(after: dash)...]
      } else {
        upstream = rest
        revision = rest[rest.endIndex...]
      }
    }
  }

  /// Compares by turns a run that is not digits, byte by byte, and a run of digits, as a number.
  private static func comparePart(_ left: Substring.UTF8View, _ right: Substring.UTF8View) -> Int {
    var (first, second) = (left, right)
    while !first.isEmpty || !second.isEmpty {
      while isText(first.first) || isText(second.first) {
        let difference = weight(first.first) - weight(second.first)
        if difference != 0 { return difference }
        first = first.dropFirst()
        second = second.dropFirst()
      }
      let (one, other) = (number(&first), number(&second))
      // The longer number without leading zeros is the greater one, whatever its length.
      if one.count != other.count { return one.count - other.count }
      for (digit, otherDigit) in zip(one, other) where digit != otherDigit {
        return Int(digit) - Int(otherDigit)
      }
    }
    return 0
  }

  private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

  private static func isText(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return !isDigit(byte)
  }

  /// `~` before the end, the end before letters, letters before everything else.
  private static func weight(_ byte: UInt8?) -> Int {
    guard let byte, !isDigit(byte) else { return 0 }
    if byte == UInt8(ascii: "~") { return -1 }
    let isLetter = (byte | 0x20) >= 97 && (byte | 0x20) <= 122
    return isLetter ? Int(byte) : Int(byte) + 256
  }
}
