import Foundation

extension JSONText {
  /// Appends a text in quotes, with the escapes that JSON asks for.
  package mutating func append(string text: String) {
    var text = text
    text.withUTF8 { append(string: UnsafeRawBufferPointer($0)) }
  }

  /// Appends UTF-8 in quotes. Bytes that are not UTF-8 become replacement characters.
  mutating func append(string payload: UnsafeRawBufferPointer) {
    append(raw: "\"")
    let isPlain = payload.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    if isPlain {
      append(bytes: payload)
    } else {
      for unit in String(decoding: payload, as: UTF8.self).utf8 { append(escaping: unit) }
    }
    append(raw: "\"")
  }

  private mutating func append(escaping unit: UInt8) {
    switch unit {
    case 0x22: append(raw: "\\\"")
    case 0x5C: append(raw: "\\\\")
    case 0x0A: append(raw: "\\n")
    case 0x0D: append(raw: "\\r")
    case 0x09: append(raw: "\\t")
    case 0..<0x20, 0x7F:
      let digits = String(unit, radix: 16)
      append(raw: "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
    default: append(byte: unit)
    }
  }
}
