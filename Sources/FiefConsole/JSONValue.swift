import Fief

/// A JSON document that keeps the order of members and all digits of numbers.
package indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  /// A number, written with as many digits as are required to read it back. JSON has no numbers that are not
  /// finite, so these are written as the texts `NaN`, `Infinity` and `-Infinity`.
  case double(Double)
  /// The text of a number that no Swift type can represent.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value.
  package struct Member: Sendable, Equatable {
    package var name: String
    package var value: JSONValue

    /// Creates a member.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Returns an integer.
  package static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }
  /// Returns a text, or null for `nil`.
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
  /// Returns the document on several lines, indented by two spaces per level.
  package func pretty() -> String { text(indent: 0) }

  /// Returns the document on one line, as in JSON lines.
  package func line() -> String { text(indent: nil) }

  /// Control characters and characters that change a terminal's writing direction are escaped, so that a
  /// document can be shown safely.
  private func text(indent: Int?) -> String {
    var json = JSONWriter(escaping: Format.isControl)
    write(to: &json, indent: indent)
    return json.text
  }

  /// Writes the document, either on one line or indented from a level.
  private func write(to json: inout JSONWriter, indent: Int?) {
    switch self {
    case .null: json.append(raw: "null")
    case .bool(let value): json.append(raw: value ? "true" : "false")
    case .integer(let value): json.append(raw: String(value))
    case .unsigned(let value): json.append(raw: String(value))
    case .number(let value): json.append(raw: value)
    case .double(let value): json.append(raw: Self.text(of: value))
    case .string(let value): json.append(string: value)
    case .array(let values):
      Self.writeAll(values, "[", "]", &json, indent) { value, json, inner in
        value.write(to: &json, indent: inner)
      }
    case .object(let members):
      Self.writeAll(members, "{", "}", &json, indent) { member, json, inner in
        json.append(string: member.name)
        json.append(raw: inner == nil ? ":" : ": ")
        member.value.write(to: &json, indent: inner)
      }
    }
  }

  private static func writeAll<Element>(
    _ elements: [Element],
    _ opening: String,
    _ closing: String,
    _ json: inout JSONWriter,
    _ indent: Int?,
    _ write: (Element, inout JSONWriter, Int?) -> Void
  ) {
    json.append(raw: opening)
    let inner = indent.map { $0 + 1 }
    for (index, element) in elements.enumerated() {
      if index > 0 { json.append(raw: ",") }
      if let inner { json.append(raw: "\n" + String(repeating: "  ", count: inner)) }
      write(element, &json, inner)
    }
    if let indent, !elements.isEmpty { json.append(raw: "\n" + String(repeating: "  ", count: indent)) }
    json.append(raw: closing)
  }

  private static func text(of value: Double) -> String {
    switch value {
    case _ where value.isNaN: "\"NaN\""
    case .infinity: "\"Infinity\""
    case -.infinity: "\"-Infinity\""
    default: "\(value)"
    }
  }
}
