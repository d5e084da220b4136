/// Splits Swift source code into tokens and comments.
struct SwiftLexer {
  private let bytes: [UInt8]
  private var offset = 0
  private var isFirstInLine = true
  private(set) var tokens: [SwiftToken] = []
  private(set) var comments: [Range<Int>] = []

  /// - Throws: ``SwiftSyntaxError`` if a comment or a string is not terminated.
  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    if has("#!") { offset = endOfLine(offset) }
    while offset < bytes.count { try step() }
  }

  private func has(_ text: StaticString, at place: Int? = nil) -> Bool {
    let place = place ?? offset
    return text.withUTF8Buffer { bytes[min(place, bytes.count)...].starts(with: $0) }
  }

  private func byte(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private func endOfLine(_ start: Int) -> Int {
    bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
  }

  private mutating func step() throws {
    let start = offset
    let first = bytes[start]
    switch first {
    case 0x0A, 0x0D:
      isFirstInLine = true
      offset += 1
    case 0x20, 0x09, 0x0B, 0x0C, 0x00: offset += 1
    case UInt8(ascii: "/") where has("//"):
      offset = endOfLine(start)
      comments.append(start..<offset)
    case UInt8(ascii: "/") where has("/*"):
      offset = try endOfComment(start)
      comments.append(start..<offset)
      if bytes[start..<offset].contains(0x0A) { isFirstInLine = true }
    case UInt8(ascii: "\""): add(.literal, to: try endOfString(start, hashes: 0))
    case UInt8(ascii: "#"): try addHashed()
    case UInt8(ascii: "`"):
      let end = bytes[(start + 1)...].firstIndex(of: first)
      guard let end else { throw SwiftSyntaxError(offset: start, message: "The name is not closed.") }
      add(.word, to: end + 1)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): add(.number, to: endOfNumber(start))
    case UInt8(ascii: "/"):
      if let end = endOfRegex(start) { add(.literal, to: end) } else { add(.symbol, to: start + 1) }
    default:
      if isWordByte(first) { add(.word, to: endOfWord(start)) } else { add(.symbol, to: start + 1) }
    }
  }

  private mutating func add(_ kind: SwiftToken.Kind, to end: Int) {
    let text = String(decoding: bytes[offset..<end], as: UTF8.self)
    tokens.append(SwiftToken(kind: kind, text: text, range: offset..<end, isFirstInLine: isFirstInLine))
    isFirstInLine = false
    offset = end
  }

  // MARK: Words and numbers

  private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      true
    default: false
    }
  }

  private func endOfWord(_ start: Int) -> Int {
    bytes[start...].firstIndex { !isWordByte($0) } ?? bytes.count
  }

  private func endOfNumber(_ start: Int) -> Int {
    let exponents = has("0x", at: start) ? Array("pP".utf8) : Array("eE".utf8)
    var end = endOfWord(start)
    while let next = byte(end) {
      let isDigit = byte(end + 1).map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
      let isSign = next == UInt8(ascii: "+") || next == UInt8(ascii: "-")
      guard isDigit, next == UInt8(ascii: ".") || isSign && exponents.contains(bytes[end - 1]) else { break }
      end = endOfWord(end + 1)
    }
    return end
  }

  // MARK: Number signs

  private mutating func addHashed() throws {
    let start = offset
    let end = bytes[start...].firstIndex { $0 != UInt8(ascii: "#") } ?? bytes.count
    if byte(end) == UInt8(ascii: "\"") {
      return add(.literal, to: try endOfString(end, hashes: end - start))
    }
    if byte(end) == UInt8(ascii: "/") {
      return add(.literal, to: try endOfExtendedRegex(end, hashes: end - start))
    }
    let word = endOfWord(end)
    switch String(decoding: bytes[start..<word], as: UTF8.self) {
    case "#if", "#elseif": add(.directive, to: endOfCondition(word))
    case "#else", "#endif": add(.directive, to: word)
    case "#": add(.symbol, to: start + 1)
    default: add(.word, to: word)
    }
  }

  private func endOfCondition(_ start: Int) -> Int {
    var end = start
    while end < endOfLine(start), !has("//", at: end), !has("/*", at: end) { end += 1 }
    return end
  }

  // MARK: Comments, strings and regular expressions

  private func endOfComment(_ start: Int) throws -> Int {
    var depth = 0
    var place = start
    while place < bytes.count {
      if has("/*", at: place) {
        depth += 1
        place += 2
      } else if has("*/", at: place) {
        depth -= 1
        place += 2
        if depth == 0 { return place }
      } else {
        place += 1
      }
    }
    throw SwiftSyntaxError(offset: start, message: "The comment is not closed.")
  }

  private func isHashes(_ count: Int, at place: Int) -> Bool {
    place + count <= bytes.count && bytes[place..<place + count].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  /// Returns the end of a string.
  ///
  /// - Parameter quote: the position of the first quotation mark, after the number signs.
  private func endOfString(_ quote: Int, hashes: Int) throws -> Int {
    let end = endOfLine(quote)
    let isBlankAfter = bytes[min(quote + 3, end)..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    let isMultiline = has("\"\"\"", at: quote) && (hashes == 0 || isBlankAfter)
    let quotes = isMultiline ? 3 : 1
    var place = quote + quotes
    while place < bytes.count {
      let next = bytes[place]
      if next == UInt8(ascii: "\\"), isHashes(hashes, at: place + 1) {
        let escaped = place + 1 + hashes
        place = byte(escaped) == UInt8(ascii: "(") ? try endOfInterpolation(escaped) : escaped + 1
      } else if next == UInt8(ascii: "\""), !isMultiline || has("\"\"\"", at: place),
        isHashes(hashes, at: place + quotes)
      {
        return place + quotes + hashes
      } else if !isMultiline, next == 0x0A || next == 0x0D {
        break
      } else {
        place += 1
      }
    }
    throw SwiftSyntaxError(offset: quote, message: "The string is not closed.")
  }

  /// Returns the end of an interpolation in a string.
  ///
  /// - Parameter start: the position of its bracket.
  private func endOfInterpolation(_ start: Int) throws -> Int {
    var depth = 0
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "("):
        depth += 1
        place += 1
      case UInt8(ascii: ")"):
        depth -= 1
        place += 1
        if depth == 0 { return place }
      case UInt8(ascii: "\""): place = try endOfString(place, hashes: 0)
      case UInt8(ascii: "#"):
        let end = bytes[place...].firstIndex { $0 != UInt8(ascii: "#") } ?? bytes.count
        place = byte(end) == UInt8(ascii: "\"") ? try endOfString(end, hashes: end - place) : end
      case UInt8(ascii: "/") where has("/*", at: place): place = try endOfComment(place)
      default: place += 1
      }
    }
    throw SwiftSyntaxError(offset: start, message: "The interpolation in a string is not closed.")
  }

  private func endOfExtendedRegex(_ slash: Int, hashes: Int) throws -> Int {
    var place = slash + 1
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\\") {
        place += 2
      } else if bytes[place] == UInt8(ascii: "/"), isHashes(hashes, at: place + 1) {
        return place + 1 + hashes
      } else {
        place += 1
      }
    }
    throw SwiftSyntaxError(offset: slash, message: "The regular expression is not closed.")
  }

  /// Returns the end of a regular expression between slashes, or `nil` if the slash is an operator.
  private func endOfRegex(_ start: Int) -> Int? {
    if let before = tokens.last {
      let isOperand = before.kind != .symbol || [")", "]", "}", ".", "?", "!"].contains(before.text)
      let isKeyword = ["return", "in", "case", "try", "await", "where", "if", "while"].contains(before.text)
      if isOperand, !isKeyword { return nil }
    }
    guard let next = byte(start + 1), next != 0x20, next != 0x09, next != UInt8(ascii: ")") else {
      return nil
    }
    let end = endOfLine(start)
    var place = start + 1
    while place < end {
      if bytes[place] == UInt8(ascii: "\\") {
        place += 1
      } else if bytes[place] == UInt8(ascii: "/") {
        return place + 1
      }
      place += 1
    }
    return nil
  }
}
