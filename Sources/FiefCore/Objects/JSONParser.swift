/// Parses JSON (RFC 8259) strictly from UTF-8.
///
/// Foundation's parser is unsuitable: it converts decimal numbers to binary floating point and accepts a
/// comma before a closing bracket. This parser returns `Bool`, `Int`, ``JSONNumber`` for numbers that are not
/// an `Int`, `String`, `[Any]`, ``JSONObject`` and ``JSONNull``. It delivers the elements of the outermost
/// array one by one, so a long document is never in memory as a whole.
package struct JSONParser {
  /// The maximum depth of nested arrays and objects.
  static let deepest = 512

  // SAFETY: the bytes belong to the closure in which the parser is created and used. Every access is checked
  // against their end.
  let bytes: UnsafeRawBufferPointer
  /// The offset of the next character.
  package internal(set) var position = 0
  /// The position of the bytes in a document of which they are a part.
  private let origin: JSONPosition
  private var depth = 0
  /// Whether an object may have two members of one name. The last value then counts.
  private let acceptsDuplicates: Bool
  /// Whether `//` and `/* */` comments may stand wherever space may.
  private let acceptsComments: Bool

  package init(
    _ bytes: UnsafeRawBufferPointer,
    at origin: JSONPosition = JSONPosition(),
    acceptsDuplicates: Bool = true,
    acceptsComments: Bool = false
  ) {
    self.bytes = bytes
    self.origin = origin
    self.acceptsDuplicates = acceptsDuplicates
    self.acceptsComments = acceptsComments
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Calls `body` with each element of the outermost array and its index. If the document is a single value,
  /// `body` receives that value and a nil index.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`, or an error of `body`.
  mutating func forEachElement(_ body: (Int?, Any) throws -> Void) throws {
    try skipSpace()
    if peek() == UInt8(ascii: "[") {
      var index = 0
      try readList(end: UInt8(ascii: "]")) { parser in
        try body(index, try parser.value())
        index += 1
      }
    } else {
      try body(nil, try value())
    }
    try finish()
  }

  /// Returns the single value of the document.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`.
  mutating func singleValue() throws -> Any {
    let result = try value()
    try finish()
    return result
  }

  /// Checks that nothing follows.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`.
  package mutating func finish() throws {
    try skipSpace()
    guard position == bytes.count else { throw malformed("Unexpected text follows the end of the document.") }
  }

  func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() throws {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      case UInt8(ascii: "/") where acceptsComments: try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws {
    let text = bytes[position...]
    if text.starts(with: "//".utf8) {
      position = text.firstIndex(of: 0x0A) ?? bytes.count
    } else if text.starts(with: "/*".utf8) {
      var end = position + 2
      while end < bytes.count, !bytes[end...].starts(with: "*/".utf8) { end += 1 }
      guard end < bytes.count else { throw malformed("A comment has no end.") }
      position = end + 2
    } else {
      throw malformed("Expected a comment.")
    }
  }

  /// Returns the first character of the next value; `nil` at the end of the document.
  package mutating func next() throws -> UInt8? {
    try skipSpace()
    return peek()
  }

  /// Reads an object. Calls `body` with the name of each member and the offset of the name; `body` must read
  /// the value.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`, or an error of `body`.
  package mutating func forEachMember(
    _ body: (inout JSONParser, _ name: String, _ start: Int) throws -> Void
  ) throws {
    guard try next() == UInt8(ascii: "{") else { throw malformed("Expected an object.") }
    var names: Set<ExactText> = []
    try readList(end: UInt8(ascii: "}")) { parser in
      let (name, start) = try parser.readName()
      if !parser.acceptsDuplicates, !names.insert(ExactText(name)).inserted {
        throw parser.duplicate(at: start)
      }
      try parser.readColon()
      try body(&parser, name, start)
    }
  }

  /// Reads the next value.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`.
  package mutating func value() throws -> Any {
    try skipSpace()
    guard let first = peek() else { throw malformed("The document ends where a value is expected.") }
    switch first {
    case UInt8(ascii: "{"):
      var object = JSONObject()
      try readList(end: UInt8(ascii: "}")) { try $0.readMember(into: &object) }
      return object
    case UInt8(ascii: "["):
      var array: [Any] = []
      try readList(end: UInt8(ascii: "]")) { array.append(try $0.value()) }
      return array
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "t"): return try literal("true", true)
    case UInt8(ascii: "f"): return try literal("false", false)
    case UInt8(ascii: "n"): return try literal("null", JSONNull())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw malformed("Expected a value.")
    }
  }

  private mutating func readList(end: UInt8, _ element: (inout JSONParser) throws -> Void) throws {
    guard depth < Self.deepest else { throw malformed("The document is nested too deeply.") }
    depth += 1
    position += 1
    try skipSpace()
    if peek() == end {
      position += 1
      depth -= 1
      return
    }
    while true {
      try element(&self)
      try skipSpace()
      guard let next = peek() else { throw malformed("The document ends inside an array or an object.") }
      guard next == end || next == UInt8(ascii: ",") else {
        throw malformed("Expected a comma or a closing bracket.")
      }
      position += 1
      if next == end { break }
    }
    depth -= 1
  }

  private mutating func readMember(into object: inout JSONObject) throws {
    let (name, start) = try readName()
    if !acceptsDuplicates, object.contains(name) { throw duplicate(at: start) }
    try readColon()
    object.set(name, try value())
  }

  private mutating func readName() throws -> (name: String, start: Int) {
    try skipSpace()
    guard peek() == UInt8(ascii: "\"") else { throw malformed("Expected the name of a member.") }
    let start = position
    return (try string(), start)
  }

  private mutating func readColon() throws {
    try skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw malformed("Expected a colon.") }
    position += 1
  }

  private func duplicate(at start: Int) -> FiefError {
    malformed("An object has two members of one name.", at: start)
  }

  private mutating func literal(_ text: StaticString, _ value: Any) throws -> Any {
    let end = position + text.utf8CodeUnitCount
    let matches = text.withUTF8Buffer { end <= bytes.count && bytes[position..<end].elementsEqual($0) }
    guard matches else { throw malformed("Expected a value.") }
    position = end
    return value
  }

  /// Creates the error for the text at an offset; without an offset, at the current position.
  package func malformed(_ message: String, at offset: Int? = nil) -> FiefError {
    let before = bytes[..<min(offset ?? position, bytes.count)]
    let line = before.count { $0 == 0x0A } + 1
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = before.count - lineStart + 1
    return JSONPosition(
      line: origin.line + line - 1,
      column: line == 1 ? origin.column + column - 1 : column,
      byte: origin.byte + before.count
    ).malformed(message)
  }
}

/// A position in a JSON document.
package struct JSONPosition: Sendable {
  /// The number of the line, from 1.
  package var line = 1
  /// The number of the byte in the line, from 1.
  package var column = 1
  /// The number of bytes before the position.
  package var byte = 0

  /// Creates the error for the text at the position.
  package func malformed(_ message: String) -> FiefError {
    FiefError(
      .malformedJSON,
      message,
      path: "$",
      details: ["line \(line), column \(column)", "byte \(byte)"]
    )
  }
}

/// The null value of a JSON document.
package struct JSONNull: OptionalValue {

  package init() {}
  package var isNilValue: Bool { true }
  package var containedValue: Any? { nil }
}
