import Foundation

/// A writer of JSON in UTF-8. It is the only code that escapes texts.
package struct JSONWriter {
  /// The written bytes.
  package private(set) var bytes: [UInt8] = []
  /// Returns whether to escape a character that JSON does not require to be escaped.
  private let isEscaped: (@Sendable (Unicode.Scalar) -> Bool)?

  /// - Parameter isEscaped: returns whether to escape a character other than quotes, backslashes, and the
  ///   control characters of ASCII.
  package init(escaping isEscaped: (@Sendable (Unicode.Scalar) -> Bool)? = nil) { self.isEscaped = isEscaped }

  /// The written text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Removes the written bytes and keeps the storage.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends text that is already JSON.
  package mutating func append(raw text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends bytes that are already JSON.
  package mutating func append(bytes more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  package mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Appends ASCII text that needs no escapes, in quotes.
  package mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a number in the form of ``FloatText``. Values that are not numbers in JSON are quoted.
  package mutating func append(number text: String) {
    let isName = text.utf8.last.map { $0 > UInt8(ascii: "9") } ?? true
    if isName || text.utf8.last == UInt8(ascii: ")") { append(quoted: text) } else { append(raw: text) }
  }

  /// Appends a quoted text.
  package mutating func append(string text: String) {
    var text = text
    text.withUTF8 { append(string: UnsafeRawBufferPointer($0)) }
  }

  /// Appends quoted UTF-8. Invalid bytes become replacement characters.
  package mutating func append(string payload: UnsafeRawBufferPointer) {
    append(byte: UInt8(ascii: "\""))
    // Most texts need no escapes.
    if payload.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
      append(bytes: payload)
    } else if let isEscaped {
      for scalar in String(decoding: payload, as: UTF8.self).unicodeScalars {
        if !scalar.isASCII, isEscaped(scalar) {
          for unit in UTF16.encode(scalar).map(Array.init) ?? [] { append(escaped: unit) }
        } else {
          for unit in UTF8.encode(scalar).map(Array.init) ?? [] { append(escaping: unit) }
        }
      }
    } else {
      for unit in String(decoding: payload, as: UTF8.self).utf8 { append(escaping: unit) }
    }
    append(byte: UInt8(ascii: "\""))
  }

  private mutating func append(escaping unit: UInt8) {
    switch unit {
    case 0x22: append(raw: "\\\"")
    case 0x5C: append(raw: "\\\\")
    case 0x0A: append(raw: "\\n")
    case 0x0D: append(raw: "\\r")
    case 0x09: append(raw: "\\t")
    case 0..<0x20, 0x7F: append(escaped: UInt16(unit))
    default: append(byte: unit)
    }
  }

  private mutating func append(escaped unit: UInt16) {
    let digits = String(unit, radix: 16)
    append(raw: "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
  }
}
