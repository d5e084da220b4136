/// A JSON document, with members in the order in which they were given and numbers with all their digits.
package indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  /// A number with as many digits as it takes to read it back; one that is not finite is written as the
  /// text `NaN`, `Infinity` or `-Infinity`, since JSON has no such numbers.
  case double(Double)
  /// A number as it is to be written, for those that no type of Swift holds.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value.
  package struct Member: Sendable, Equatable {
    package var name: String
    package var value: JSONValue

    /// Makes a member.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// A whole number.
  package static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }
  /// A text, or null for nil.
  package static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
  /// The document over several lines, indented by two blanks a level.
  package func pretty() -> String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  /// The document in one line, as JSON lines have it.
  package func line() -> String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// Adds the document to a text: in one line, or indented from a level on.
  package func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .unsigned(let value): text += String(value)
    case .number(let value): text += value
    case .double(let value): Self.write(value, to: &text)
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      Self.writeAll(values, "[", "]", &text, indent) { value, text, inner in
        value.write(to: &text, indent: inner)
      }
    case .object(let members):
      Self.writeAll(members, "{", "}", &text, indent) { member, text, inner in
        Self.write(member.name, to: &text)
        text += inner == nil ? ":" : ": "
        member.value.write(to: &text, indent: inner)
      }
    }
  }

  private static func writeAll<Element>(
    _ elements: [Element],
    _ opening: String,
    _ closing: String,
    _ text: inout String,
    _ indent: Int?,
    _ write: (Element, inout String, Int?) -> Void
  ) {
    text += opening
    let inner = indent.map { $0 + 1 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: "  ", count: inner) }
      write(element, &text, inner)
    }
    if let indent, !elements.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
    text += closing
  }

  private static func write(_ value: Double, to text: inout String) {
    switch value {
    case _ where value.isNaN: text += "\"NaN\""
    case .infinity: text += "\"Infinity\""
    case -.infinity: text += "\"-Infinity\""
    default: text += "\(value)"
    }
  }

  /// Adds a text with its quotes. Control characters and those that direct a terminal's writing are escaped,
  /// so that a document can be shown safely.
  package static func write(_ string: String, to text: inout String) {
    text += "\""
    // Most texts have nothing to escape.
    if string.utf8.allSatisfy({
      $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }) {
      text += string
    } else {
      for scalar in string.unicodeScalars { write(scalar, to: &text) }
    }
    text += "\""
  }

  private static func write(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where Format.isControl(scalar):
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    default: text.unicodeScalars.append(scalar)
    }
  }
}
