import Foundation

/// Folding of texts, so that texts become equal if they differ only in case or in diacritics. It does not
/// depend on a language.
///
/// The definition, on which indexes depend:
/// - Diacritics: the text is decomposed canonically (NFD), the scalars in the blocks of combining diacritical
///   marks (U+0300 to U+036F, U+1AB0 to U+1AFF, U+1DC0 to U+1DFF, U+20D0 to U+20FF, U+FE20 to U+FE2F) are
///   removed, and the rest is composed again (NFC). Separate letters such as `ø` and `ł` stay.
/// - Case: each scalar is replaced by the full lower case of the full upper case of its full lower case, by
///   Unicode's tables: `ß` and `ẞ` become `ss`, `ς` and `Σ` become `σ`, `ﬁ` becomes `fi`, the Kelvin sign
///   `k`.
///
/// Diacritics are folded first. Folding a folded text has no effect. ASCII is folded byte by byte, with the
/// same result. Texts that differ only in their normalization stay different unless diacritics are folded.
enum TextFolding {
  /// Returns the folded bytes of a text.
  ///
  /// - Parameter bytes: UTF-8; invalid bytes become the replacement character.
  static func fold(
    _ bytes: UnsafeRawBufferPointer,
    caseInsensitive: Bool,
    diacriticInsensitive: Bool
  ) -> [UInt8] {
    var options: QueryTextOptions = []
    if caseInsensitive { options.insert(.caseInsensitive) }
    if diacriticInsensitive { options.insert(.diacriticInsensitive) }
    var writer = ValueWriter(reserving: bytes.count)
    append(bytes, options, to: &writer)
    return writer.bytes
  }

  /// Returns the folded text.
  static func fold(_ text: String, _ options: QueryTextOptions) -> String {
    if options.isEmpty { return text }
    var text = text
    var writer = ValueWriter(reserving: text.utf8.count)
    text.withUTF8 { append(UnsafeRawBufferPointer($0), options, to: &writer) }
    return writer.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Appends the folded bytes of a text.
  static func append(
    _ bytes: UnsafeRawBufferPointer,
    _ options: QueryTextOptions,
    to writer: inout ValueWriter
  ) {
    if options.isEmpty { return writer.append(bytes) }
    if isASCII(bytes) {
      guard options.contains(.caseInsensitive) else { return writer.append(bytes) }
      guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
      let target = writer.appendUninitialized(bytes.count)
      // SAFETY: the loop writes as many bytes as were appended.
      for index in 0..<bytes.count {
        let byte = lowercased(source.load(fromByteOffset: index, as: UInt8.self))
        target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      return
    }
    appendUnicode(String(decoding: bytes, as: UTF8.self), options, to: &writer)
  }

  @inline(never)
  private static func appendUnicode(
    _ text: String,
    _ options: QueryTextOptions,
    to writer: inout ValueWriter
  ) {
    var text = text
    if options.contains(.diacriticInsensitive) {
      var scalars = String.UnicodeScalarView()
      for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars where !isMark(scalar) {
        scalars.append(scalar)
      }
      text = String(scalars).precomposedStringWithCanonicalMapping
    }
    guard options.contains(.caseInsensitive) else { return writer.append(text) }
    for scalar in text.unicodeScalars { appendFolded(scalar, to: &writer) }
  }

  private static func appendFolded(_ scalar: Unicode.Scalar, to writer: inout ValueWriter) {
    // The scripts in these ranges have no case. Most texts that are not ASCII are CJK.
    if scalar.isASCII {
      return writer.appendInteger(lowercased(UInt8(truncatingIfNeeded: scalar.value)))
    }
    if (0x2E80..<0xA640).contains(scalar.value) || (0xAC00..<0xF900).contains(scalar.value) {
      return writer.append(String(scalar))
    }
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        writer.append(upper.properties.lowercaseMapping)
      }
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  /// Returns a byte of ASCII in lower case. Other bytes are returned unchanged.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// Whether all bytes are ASCII.
  @inline(__always)
  static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var index = 0
    var seen: UInt64 = 0
    // SAFETY: the conditions of the loops check that the bytes exist.
    while index &+ 8 <= bytes.count {
      seen |= base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    while index < bytes.count {
      seen |= UInt64(base.load(fromByteOffset: index, as: UInt8.self))
      index &+= 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }
}
