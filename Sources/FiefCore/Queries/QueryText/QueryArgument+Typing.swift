import Foundation

extension QueryArgument {
  /// The prefixes that state the kind of an argument typed by a user.
  package static let forms = [
    "int", "double", "decimal", "bool", "text", "date", "uuid", "oid", "data",
  ]

  /// Parses an argument that a user typed: `5`, `'text'`, `int:5`, `{1,2,3}`.
  ///
  /// Text without a kind prefix takes the type of the property with which it is compared.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if the text does not match its kind prefix.
  package init(typed text: String) throws {
    if text.hasPrefix("{"), text.hasSuffix("}"), text.count > 1 {
      let parts = text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
      let isEmpty = parts.count == 1 && parts[0].allSatisfy { $0.isWhitespace }
      self = .list(
        try isEmpty
          ? [] : parts.map { try QueryArgument(typed: $0.trimmingCharacters(in: .whitespaces)) }
      )
      return
    }
    if let quote = text.first, quote == "'" || quote == "\"", text.count > 1, text.last == quote {
      self = .value(.string(String(text.dropFirst().dropLast())))
      return
    }
    guard let colon = text.firstIndex(of: ":"), let kind = Self.kind(of: text[..<colon]) else {
      self = .untyped(text)
      return
    }
    let rest = String(text[text.index(after: colon)...])
    guard let value = QueryValue(typed: rest, kind), value != .null || kind == .string else {
      throw FiefError(
        .invalidQuery,
        "The argument does not match its form.",
        details: [
          "found: " + HiddenValue.text("'\(rest.prefix(60))'", summary: HiddenValue.length(of: rest)),
          "expected: \(text[..<colon])",
        ]
      )
    }
    self = .value(value)
  }

  private static func kind(of form: Substring) -> ColumnType.Kind? {
    switch form {
    case "int": .int64
    case "double": .double
    case "decimal": .decimal
    case "bool": .bool
    case "text": .string
    case "date": .date
    case "uuid": .uuid
    case "oid": .objectId
    case "data": .data
    default: nil
    }
  }
}
