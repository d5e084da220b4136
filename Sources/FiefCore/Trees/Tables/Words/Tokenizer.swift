import Foundation

/// Splits texts into the words of full-text indexes.
///
/// ``WordClass`` defines the boundaries of words, and ``WordFolding`` folds them. A run of ideographs `abc`
/// yields each pair of neighbours and the last ideograph alone: `ab`, `bc`, `c`. A search finds a single
/// ideograph as a prefix, and two or more ideographs by their pairs. A word is truncated after
/// ``longestWord`` bytes.
struct Tokenizer {
  /// The maximum length of a word in bytes. Further bytes are dropped.
  static let longestWord = 120

  /// One word of a text.
  struct Token {
    /// The folded text. Valid only during the call.
    let bytes: UnsafeRawBufferPointer
    /// The number of words before this one.
    let position: Int
    let kind: Kind
  }

  enum Kind {
    case word
    /// Two neighbours in a run of ideographs.
    case pair
    /// The last ideograph of a run. The pair before it contains it too.
    case last
    /// The only ideograph of a run.
    case single
  }

  private var word: [UInt8] = []
  private var ideograph: [UInt8] = []
  private var hasPair = false
  private var position = 0
  private var hasContent = false
  private var isFull = false

  /// Calls `body` with each word, until it returns `false`.
  mutating func forEach(_ text: UnsafeRawBufferPointer, _ body: (Token) throws -> Bool) rethrows {
    word.removeAll(keepingCapacity: true)
    ideograph.removeAll(keepingCapacity: true)
    (position, hasContent, isFull, hasPair) = (0, false, false, false)
    if Self.hasJamo(text) {
      let composed = String(decoding: text, as: UTF8.self).precomposedStringWithCanonicalMapping
      var copy = composed
      try copy.withUTF8 { try scan(UnsafeRawBufferPointer($0), body) }
    } else {
      try scan(text, body)
    }
  }

  /// Whether the text may contain Hangul as separate jamo, which must be composed first.
  private static func hasJamo(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= 3 else { return false }
    for index in 0..<(text.count - 2)
    where text[index] == 0xE1 && (0x84...0x87).contains(text[index + 1]) { return true }
    return false
  }

  private mutating func scan(_ text: UnsafeRawBufferPointer, _ body: (Token) throws -> Bool) rethrows {
    var offset = 0
    // The class of the word's last character, ignoring marks.
    var last = WordClass.other
    while offset < text.count {
      let start = offset
      let (scalar, type) = Self.next(text, &offset)
      switch type {
      case .letter, .digit, .connector:
        if !ideograph.isEmpty, try !endRun(body) { return }
        append(scalar)
        hasContent = hasContent || type != .connector
        last = type
      case .extending:
        if last != .other { append(scalar) }
      case .ideograph:
        if !word.isEmpty, try !endWord(body) { return }
        last = .other
        if try !append(ideograph: scalar, body) { return }
      case .middleOfLetters, .middleOfDigits, .middleOfBoth:
        if !ideograph.isEmpty, try !endRun(body) { return }
        if Self.joins(type, last, Self.following(text, offset)) {
          append(scalar)
        } else {
          if !word.isEmpty, try !endWord(body) { return }
          last = .other
        }
      case .other:
        if !ideograph.isEmpty, try !endRun(body) { return }
        if !word.isEmpty, try !endWord(body) { return }
        last = .other
        // Reaching the start again without progress means that no character was read.
        if start == offset { return }
      }
    }
    if !ideograph.isEmpty, try !endRun(body) { return }
    if !word.isEmpty { _ = try endWord(body) }
  }

  private static func joins(_ type: WordClass, _ last: WordClass, _ next: WordClass) -> Bool {
    switch (last, next) {
    case (.letter, .letter): type != .middleOfDigits
    case (.digit, .digit): type != .middleOfLetters
    default: false
    }
  }

  /// Returns the class of the next character that is not a mark.
  private static func following(_ text: UnsafeRawBufferPointer, _ offset: Int) -> WordClass {
    var offset = offset
    while offset < text.count {
      let type = next(text, &offset).1
      if type != .extending { return type }
    }
    return .other
  }

  @inline(__always)
  private static func next(_ text: UnsafeRawBufferPointer, _ offset: inout Int) -> (Unicode.Scalar, WordClass)
  {
    let byte = text[offset]
    if byte < 0x80 {
      offset += 1
      return (Unicode.Scalar(byte), WordClass.ascii[Int(byte)])
    }
    return nextScalar(text, &offset)
  }

  @inline(never)
  private static func nextScalar(_ text: UnsafeRawBufferPointer, _ offset: inout Int)
    -> (Unicode.Scalar, WordClass)
  {
    var iterator = UnsafeRawBufferPointer(rebasing: text[offset..<min(offset + 4, text.count)]).makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
      // Invalid UTF-8, as in a damaged record, separates words.
      offset += 1
      return ("\u{FFFD}", .other)
    }
    offset += UTF8.width(scalar)
    return (scalar, WordClass.of(scalar))
  }

  @inline(__always)
  private mutating func append(_ scalar: Unicode.Scalar) {
    if isFull { return }
    let start = word.count
    if scalar.value < 0x80 {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      word.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
    } else {
      WordFolding.append(scalar, to: &word)
    }
    if word.count > Self.longestWord {
      word.removeSubrange(start...)
      isFull = true
    }
  }

  private mutating func append(ideograph scalar: Unicode.Scalar, _ body: (Token) throws -> Bool) rethrows
    -> Bool
  {
    var bytes: [UInt8] = []
    WordFolding.append(scalar, to: &bytes)
    let previous = ideograph
    ideograph = bytes
    if previous.isEmpty { return true }
    hasPair = true
    return try hand(previous + bytes, .pair, body)
  }

  private mutating func endRun(_ body: (Token) throws -> Bool) rethrows -> Bool {
    defer {
      ideograph.removeAll(keepingCapacity: true)
      hasPair = false
    }
    return try hand(ideograph, hasPair ? .last : .single, body)
  }

  private mutating func endWord(_ body: (Token) throws -> Bool) rethrows -> Bool {
    defer {
      word.removeAll(keepingCapacity: true)
      (hasContent, isFull) = (false, false)
    }
    return try !hasContent || hand(word, .word, body)
  }

  private mutating func hand(_ bytes: [UInt8], _ kind: Kind, _ body: (Token) throws -> Bool) rethrows
    -> Bool
  {
    if bytes.isEmpty { return true }
    let token = position
    position += 1
    return try bytes.withUnsafeBytes {
      try body(Token(bytes: $0, position: token, kind: kind))
    }
  }
}

extension String {
  /// Calls `body` with each word of the text.
  func forEachWord(_ body: (Tokenizer.Token) throws -> Bool) rethrows {
    var tokenizer = Tokenizer()
    var copy = self
    try copy.withUTF8 { try tokenizer.forEach(UnsafeRawBufferPointer($0), body) }
  }
}
