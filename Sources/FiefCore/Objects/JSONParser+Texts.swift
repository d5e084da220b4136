import Foundation

extension JSONParser {
  /// Parses a JSON text into `Bool`, `Int`, ``JSONNumber``, `String`, arrays, ``JSONObject`` and
  /// ``JSONNull``.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`.
  package static func parse(_ text: String) throws -> Any {
    var text = text
    return try text.withUTF8 { try parse(UnsafeRawBufferPointer($0)) }
  }

  /// Parses a JSON text.
  ///
  /// - Parameter acceptsDuplicates: whether an object may have two members of one name; the last one counts.
  package static func parse(_ bytes: UnsafeRawBufferPointer, acceptsDuplicates: Bool = true) throws -> Any {
    var parser = JSONParser(bytes, acceptsDuplicates: acceptsDuplicates)
    return try parser.singleValue()
  }

  /// Returns the number that a text contains, or `nil` if the text is not a number.
  package static func number(_ text: String) -> Any? {
    if let value = Int(text), text.utf8.first != UInt8(ascii: "+") { return value }
    return DecimalText(text) == nil ? nil : JSONNumber(text: text)
  }
}
