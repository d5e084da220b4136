/// A part of a JSON document.
package enum JSONEvent {
  case beginObject
  case endObject
  case beginArray
  case endArray
  /// The name of a member. ``JSONEventParser/withText(_:)`` returns it.
  case name
  /// A text. ``JSONEventParser/withText(_:)`` returns it.
  case text
  case bool(Bool)
  case integer(Int)
  /// The text of a number that is not an `Int`.
  case number(String)
  case null
}

/// Parses JSON strictly from a stream, and reports its parts instead of building values.
///
/// It accepts the same documents as ``JSONParser``, whatever their length. Only one text and some of the bytes
/// after it are in memory. It does not remember names, so its user finds duplicate members.
package struct JSONEventParser {
  /// The kinds of parts that may follow.
  private enum Expected {
    case value
    /// A value, or the end of an array.
    case element
    case name
    /// A name, or the end of an object.
    case member
    /// A comma, or the end of an array or an object.
    case comma
  }

  /// The longest escape sequence: two halves of a surrogate pair.
  private static let longestEscape = 12

  private let read: (UnsafeMutableRawBufferPointer) throws -> Int
  private let longestText: Int
  private let longestNumber: Int
  private var buffer: [UInt8]
  private var position = 0
  private var end = 0
  private var isAtEnd = false
  /// The number of bytes of the document before the buffer.
  private var base = 0
  private var line = 1
  /// The number of bytes of the document before the present line.
  private var lineStart = 0
  private var expected = Expected.value
  /// The open arrays and objects; true for an object.
  private var open: [Bool] = []
  /// A text that is not contiguous in the buffer, or has escapes.
  private var text: [UInt8] = []
  private var slice: Range<Int>?

  /// The position of the last part.
  package private(set) var place = JSONPosition()

  /// - Parameters:
  ///   - longestText: the maximum length of a text or a name in bytes, without escapes.
  ///   - longestNumber: the maximum length of a number in bytes.
  ///   - bufferSize: the number of bytes that are read at once.
  ///   - read: fills a buffer, and returns the number of bytes; 0 at the end.
  package init(
    longestText: Int,
    longestNumber: Int,
    bufferSize: Int = 256 << 10,
    read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.read = read
    self.longestText = longestText
    self.longestNumber = longestNumber
    buffer = [UInt8](repeating: 0, count: max(bufferSize, longestNumber + 1, Self.longestEscape))
  }

  /// Calls `body` with the last name or text. The bytes are valid UTF-8.
  package func withText<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    guard let slice else { return try text.withUnsafeBytes(body) }
    return try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[slice])) }
  }

  /// Returns the next part of the document, or `nil` at its end.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`; `valueTooLarge` for a text, and `invalidValue` for a
  ///   number that is too long; errors of reading.
  package mutating func next() throws -> JSONEvent? {
    if base == 0, end == 0 { try skipMark() }
    try skipSpace()
    if expected == .comma {
      guard let isObject = open.last else {
        guard try peek() == nil else { throw malformed("Unexpected text follows the end of the document.") }
        return nil
      }
      guard let unit = try peek() else { throw malformed("The document ends inside an array or an object.") }
      if unit == close(isObject) { return endContainer() }
      guard unit == UInt8(ascii: ",") else { throw malformed("Expected a comma or a closing bracket.") }
      position += 1
      expected = isObject ? .name : .value
      try skipSpace()
    }
    place = here
    let unit = try peek()
    switch expected {
    case .name: return try name(unit)
    case .member: return unit == close(true) ? endContainer() : try name(unit)
    case .element: return unit == close(false) ? endContainer() : try value(unit)
    case .value, .comma: return try value(unit)
    }
  }

  // MARK: Parts

  private func close(_ isObject: Bool) -> UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

  private mutating func endContainer() -> JSONEvent {
    place = here
    position += 1
    expected = .comma
    return open.popLast() == true ? .endObject : .endArray
  }

  private mutating func name(_ unit: UInt8?) throws -> JSONEvent {
    guard unit == UInt8(ascii: "\"") else { throw malformed("Expected the name of a member.") }
    try string()
    if position == end || buffer[position] != UInt8(ascii: ":") {
      // Looking for the colon may move the buffer.
      if let slice { text = Array(buffer[slice]) }
      slice = nil
      try skipSpace()
      guard try peek() == UInt8(ascii: ":") else { throw malformed("Expected a colon.") }
    }
    position += 1
    expected = .value
    return .name
  }

  private mutating func value(_ unit: UInt8?) throws -> JSONEvent {
    guard let unit else { throw malformed("The document ends where a value is expected.") }
    switch unit {
    case UInt8(ascii: "{"): return try begin(isObject: true)
    case UInt8(ascii: "["): return try begin(isObject: false)
    default: expected = .comma
    }
    switch unit {
    case UInt8(ascii: "\""):
      try string()
      return .text
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw malformed("Expected a value.")
    }
  }

  private mutating func begin(isObject: Bool) throws -> JSONEvent {
    guard open.count < JSONParser.deepest else { throw malformed("The document is nested too deeply.") }
    position += 1
    open.append(isObject)
    expected = isObject ? .member : .element
    return isObject ? .beginObject : .beginArray
  }

  private mutating func literal(_ text: StaticString, _ event: JSONEvent) throws -> JSONEvent {
    let count = text.utf8CodeUnitCount
    try require(count)
    let matches = text.withUTF8Buffer {
      end - position >= count && buffer[position..<(position + count)].elementsEqual($0)
    }
    guard matches else { throw malformed("Expected a value.") }
    position += count
    return event
  }

  private mutating func number() throws -> JSONEvent {
    var count = 0
    while true {
      while position + count < end, Self.isPartOfNumber(buffer[position + count]) { count += 1 }
      if count > longestNumber {
        throw tooLong(.invalidValue, "A number has more than \(longestNumber) characters.")
      }
      guard position + count == end, try fill() else { break }
    }
    let (token, origin) = (position..<(position + count), here)
    let (value, length) = try buffer.withUnsafeBytes {
      var parser = JSONParser(UnsafeRawBufferPointer(rebasing: $0[token]), at: origin)
      let value = try parser.number()
      return (value, parser.position)
    }
    position += length
    if let integer = value as? Int { return .integer(integer) }
    return .number((value as? JSONNumber)?.text ?? "")
  }

  private static func isPartOfNumber(_ unit: UInt8) -> Bool {
    switch unit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  // MARK: Texts

  private mutating func string() throws {
    position += 1
    text.removeAll(keepingCapacity: true)
    slice = nil
    var isWhole = true
    var units: UInt8 = 0
    while true {
      let start = position
      position = stop(from: start, &units)
      if position < end, buffer[position] == UInt8(ascii: "\""), isWhole {
        slice = start..<position
        break
      }
      isWhole = false
      text.append(contentsOf: buffer[start..<position])
      if text.count > longestText {
        throw tooLong(.valueTooLarge, "A text is longer than \(longestText) bytes.")
      }
      guard position < end else {
        guard try fill() else { throw place.malformed("A string has no closing quote.") }
        continue
      }
      if buffer[position] == UInt8(ascii: "\"") { break }
      guard buffer[position] == UInt8(ascii: "\\") else {
        throw malformed("A control character in a string is not escaped.")
      }
      try appendEscape()
      units |= 0x80
    }
    guard units < 0x80 || withText({ String(validating: $0, as: UTF8.self) != nil }) else {
      throw malformed("A string is not valid UTF-8.")
    }
    position += 1
  }

  /// Returns the index of the next byte that is not an ordinary part of a text.
  ///
  /// - Parameter units: the bytes so far, combined.
  private func stop(from start: Int, _ units: inout UInt8) -> Int {
    var (index, combined) = (start, units)
    buffer.withUnsafeBufferPointer { buffer in
      while index < end {
        let unit = buffer[index]
        if unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "\\") || unit < 0x20 { break }
        combined |= unit
        index &+= 1
      }
    }
    units = combined
    return index
  }

  private mutating func appendEscape() throws {
    try require(Self.longestEscape)
    let (rest, origin) = (position..<end, here)
    let (bytes, length) = try buffer.withUnsafeBytes {
      var parser = JSONParser(UnsafeRawBufferPointer(rebasing: $0[rest]), at: origin)
      parser.position = 1
      var bytes: [UInt8] = []
      try parser.appendEscape(to: &bytes)
      return (bytes, parser.position)
    }
    text.append(contentsOf: bytes)
    position += length
  }

  // MARK: Reading

  private var here: JSONPosition {
    JSONPosition(line: line, column: base + position - lineStart + 1, byte: base + position)
  }

  private func malformed(_ message: String) -> FiefError { here.malformed(message) }

  private func tooLong(_ code: FiefError.Code, _ message: String) -> FiefError {
    FiefError(code, message, path: "$", details: ["line \(place.line), column \(place.column)"])
  }

  private mutating func peek() throws -> UInt8? {
    if position == end, try !fill() { return nil }
    return buffer[position]
  }

  /// Reads more bytes until there are `count` from the position on, or the document ends.
  private mutating func require(_ count: Int) throws {
    while end - position < count, try fill() {}
  }

  /// Reads more bytes. Returns false at the end of the document.
  private mutating func fill() throws -> Bool {
    if isAtEnd { return false }
    if position > 0 {
      let unread = position..<end
      buffer.withUnsafeMutableBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[unread])
        UnsafeMutableRawBufferPointer(rebasing: bytes[..<rest.count]).copyMemory(from: rest)
      }
      base += position
      end -= position
      position = 0
    }
    let (free, read) = (end..<buffer.count, read)
    let count = try buffer.withUnsafeMutableBytes {
      try read(UnsafeMutableRawBufferPointer(rebasing: $0[free]))
    }
    isAtEnd = count <= 0
    end += max(0, min(count, free.count))
    return !isAtEnd
  }

  private mutating func skipMark() throws {
    try require(3)
    if end >= 3, buffer[..<3].elementsEqual([0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private mutating func skipSpace() throws {
    while let unit = try peek() {
      switch unit {
      case 0x20, 0x0D, 0x09: position += 1
      case 0x0A:
        position += 1
        line += 1
        lineStart = base + position
      default: return
      }
    }
  }
}
