import Foundation

/// Values in the lines of errors, which are shown on request only: they may be secrets, and errors go to logs.
///
/// A line has the value and its replacement, between characters of Unicode that texts do not have. Which of
/// the two is shown is decided when the line is read.
package enum HiddenValue {
  private static let anchor: Unicode.Scalar = "\u{FFF9}"
  private static let separator: Unicode.Scalar = "\u{FFFA}"
  private static let terminator: Unicode.Scalar = "\u{FFFB}"

  /// A part of a line that is shown on request.
  ///
  /// - Parameter summary: the words that replace it.
  static func text(_ value: String, summary: String) -> String {
    var text = String.UnicodeScalarView()
    text.append(anchor)
    text.append(contentsOf: value.unicodeScalars.filter { !isMark($0) })
    text.append(separator)
    text.append(contentsOf: summary.unicodeScalars.filter { !isMark($0) })
    text.append(terminator)
    return String(text)
  }

  /// A text whose length is said in its place.
  package static func text(_ value: String) -> String { text(value, summary: length(of: value)) }

  /// The key of an object in brackets: `[7]`, or `[…]`.
  static func place(_ key: String) -> String { "[" + text(key, summary: "…") + "]" }

  /// The words that replace a text.
  static func length(of value: String) -> String {
    let count = value.count
    return count == 1 ? "1 character" : "\(count) characters"
  }

  /// A line as it is read.
  ///
  /// - Parameter isShown: whether it has the values.
  static func resolved(_ line: String, isShown: Bool) -> String {
    // Most lines have none.
    guard line.unicodeScalars.contains(anchor) else { return line }
    var text = String.UnicodeScalarView()
    var part: Unicode.Scalar = terminator
    for scalar in line.unicodeScalars {
      if isMark(scalar) {
        part = scalar
      } else if part == terminator || (part == anchor) == isShown {
        text.append(scalar)
      }
    }
    return String(text)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar == anchor || scalar == separator || scalar == terminator
  }

  /// The summary of an error that is not the library's, without its text, which may contain anything.
  static func summary(of error: any Error) -> String {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain, let code = Int32(exactly: error.code) {
      return "\(error.domain) \(code): \(String(cString: strerror(code)))"
    }
    return "\(error.domain), code \(error.code)"
  }
}
