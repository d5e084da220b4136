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
  var position = 0
  private var depth = 0
  /// Whether an object may have two members of one name. The last value then counts.
  private let acceptsDuplicates: Bool

  init(_ bytes: UnsafeRawBufferPointer, acceptsDuplicates: Bool = true) {
    self.bytes = bytes
    self.acceptsDuplicates = acceptsDuplicates
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Calls `body` with each element of the outermost array and its index. If the document is a single value,
  /// `body` receives that value and a nil index.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`, or an error of `body`.
  mutating func forEachElement(_ body: (Int?, Any) throws -> Void) throws {
    skipSpace()
    if peek() == UInt8(ascii: "[") {
      var index = 0
      try readList(end: UInt8(ascii: "]")) { parser in
        try body(index, try parser.value())
        index += 1
      }
    } else {
      try body(nil, try value())
    }
    skipSpace()
    guard position == bytes.count else { throw malformed("Unexpected text follows the end of the document.") }
  }

  /// Returns the single value of the document.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`.
  mutating func singleValue() throws -> Any {
    let result = try value()
    skipSpace()
    guard position == bytes.count else { throw malformed("Unexpected text follows the end of the document.") }
    return result
  }

  func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func value() throws -> Any {
    skipSpace()
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
    skipSpace()
    if peek() == end {
      position += 1
      depth -= 1
      return
    }
    while true {
      try element(&self)
      skipSpace()
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
    skipSpace()
    guard peek() == UInt8(ascii: "\"") else { throw malformed("Expected the name of a member.") }
    let start = position
    let name = try string()
    if !acceptsDuplicates, object.contains(name) {
      position = start
      throw malformed("An object has two members of one name.")
    }
    skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw malformed("Expected a colon.") }
    position += 1
    object.set(name, try value())
  }

  private mutating func literal(_ text: StaticString, _ value: Any) throws -> Any {
    let end = position + text.utf8CodeUnitCount
    let matches = text.withUTF8Buffer { end <= bytes.count && bytes[position..<end].elementsEqual($0) }
    guard matches else { throw malformed("Expected a value.") }
    position = end
    return value
  }

  /// Creates the error for the text at the current position.
  func malformed(_ message: String) -> FiefError {
    let before = bytes[..<min(position, bytes.count)]
    let line = before.count { $0 == 0x0A } + 1
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return FiefError(
      .malformedJSON,
      message,
      path: "$",
      details: ["line \(line), column \(before.count - lineStart + 1)", "byte \(before.count)"]
    )
  }
}

/// The null value of a JSON document.
package struct JSONNull: OptionalValue {

  package init() {}
  package var isNilValue: Bool { true }
  package var containedValue: Any? { nil }
}
