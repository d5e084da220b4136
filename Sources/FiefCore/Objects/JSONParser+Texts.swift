import Foundation

extension JSONParser {
  /// The value of a JSON text: `Bool`, `Int`, ``JSONNumber``, `String`, arrays, ``JSONObject``, ``JSONNull``.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`.
  package static func parse(_ text: String) throws -> Any {
    var text = text
    return try text.withUTF8 { try parse(UnsafeRawBufferPointer($0)) }
  }

  package static func parse(_ bytes: UnsafeRawBufferPointer) throws -> Any {
    var parser = JSONParser(bytes)
    return try parser.singleValue()
  }

  /// The number that a text is; nil for any other text.
  package static func number(_ text: String) -> Any? {
    if let value = Int(text), text.utf8.first != UInt8(ascii: "+") { return value }
    return DecimalText(text) == nil ? nil : JSONNumber(text: text)
  }
}
