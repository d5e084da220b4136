import Fief
import FiefCore
public import Foundation

extension JSON {
  /// The maximum number of characters of a number in a text.
  static let longestNumber = 1024

  /// Parses a JSON text in UTF-8, strictly by RFC 8259.
  ///
  /// A number without a fraction and an exponent that fits 64 bits becomes an integer; all others become the
  /// nearest double.
  ///
  /// - Throws: `FiefError` of code `malformedJSON` with line and column, also if an object has two members of
  ///   one name; `invalidValue` if a number exceeds the range of a double or has more than 1,024 characters.
  public init(parsing text: Data) throws {
    let value = try text.withUnsafeBytes { try JSONParser.parse($0, acceptsDuplicates: false) }
    do { self = try JSON(parsed: value) } catch var error as FiefError {
      // Parsed numbers do not have their position.
      error.details = Self.positionOfWrongNumber(in: text)
      throw error
    }
  }

  private static func positionOfWrongNumber(in text: Data) -> [String] {
    var rest = text[...]
    var parser = JSONEventParser(longestText: .max, longestNumber: longestNumber) { buffer in
      let part = rest.prefix(buffer.count)
      rest = rest.dropFirst(part.count)
      return part.copyBytes(to: buffer)
    }
    do {
      while let event = try parser.next() {
        if case .number(let text) = event { _ = try number(text) }
      }
      return []
    } catch { return [ImportReader.details(parser.place.line, parser.place.column)] }
  }

  /// - Parameter value: a value of the core's parser.
  private init(parsed value: Any) throws {
    switch value {
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .int(Int64(value))
    case let value as String: self = .string(value)
    case let number as JSONNumber: self = try Self.number(number.text)
    case let elements as [Any]: self = .array(try elements.map { try JSON(parsed: $0) })
    case let object as FiefCore.JSONObject:
      self = .object(JSONObject(try object.members.map { ($0.name, try JSON(parsed: $0.value)) }))
    default: self = .null
    }
  }

  private static func number(_ text: String) throws -> JSON {
    guard text.utf8.count <= longestNumber, let value = Double(text), value.isFinite else {
      throw FiefError(.invalidValue, "A number is outside of the range of a double, or too long.")
    }
    // The parser leaves minus zero to its caller.
    return text == "-0" ? .int(0) : .double(value)
  }

  /// Returns the value as JSON, with the members of objects in the order of a tree.
  ///
  /// A double is written as the shortest text that reads back as the same number, with a fraction or an
  /// exponent. Doubles that JSON cannot represent, which a tree does not store, are written as `null`.
  ///
  /// - Parameter prettyPrinted: whether each element and member has a line of its own.
  public func text(prettyPrinted: Bool = false) -> String {
    text(prettyPrinted: prettyPrinted, escaping: nil)
  }

  /// Returns the value as JSON.
  ///
  /// - Parameter isEscaped: returns whether to escape a character that JSON does not require to be escaped.
  package func text(prettyPrinted: Bool, escaping isEscaped: (@Sendable (Unicode.Scalar) -> Bool)?) -> String
  {
    var writer = JSONWriter(escaping: isEscaped)
    append(to: &writer, indentation: prettyPrinted ? 0 : nil)
    return writer.text
  }

  func append(to writer: inout JSONWriter, indentation: Int?) {
    switch self {
    case .null: writer.append(raw: "null")
    case .bool(let value): writer.append(raw: value ? "true" : "false")
    case .int(let value): writer.append(raw: String(value))
    case .double(let value): writer.append(raw: value.isFinite ? FloatText.text(value) : "null")
    case .string(let value): writer.append(string: value)
    case .array(let elements):
      Self.append(elements, "[", "]", to: &writer, indentation) { element, writer, indentation in
        element.append(to: &writer, indentation: indentation)
      }
    case .object(let object):
      Self.append(object.members, "{", "}", to: &writer, indentation) { member, writer, indentation in
        writer.append(string: member.name)
        writer.append(raw: indentation == nil ? ":" : ": ")
        member.value.append(to: &writer, indentation: indentation)
      }
    }
  }

  private static func append<Element>(
    _ elements: [Element],
    _ start: String,
    _ end: String,
    to writer: inout JSONWriter,
    _ indentation: Int?,
    _ append: (Element, inout JSONWriter, Int?) -> Void
  ) {
    writer.append(raw: start)
    for (index, element) in elements.enumerated() {
      if index > 0 { writer.append(raw: ",") }
      if let indentation { writer.append(raw: "\n" + String(repeating: "  ", count: indentation + 1)) }
      append(element, &writer, indentation.map { $0 + 1 })
    }
    if let indentation, !elements.isEmpty {
      writer.append(raw: "\n" + String(repeating: "  ", count: indentation))
    }
    writer.append(raw: end)
  }
}
