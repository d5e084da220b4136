import Foundation

/// Values in the lines of errors that are shown only on request, because they may be secrets and errors are
/// often logged.
///
/// A line contains the value and its replacement, separated by Unicode characters that texts do not use.
/// Which of the two is shown is decided when the line is read.
package enum HiddenValue {
  private static let anchor: Unicode.Scalar = "\u{FFF9}"
  private static let separator: Unicode.Scalar = "\u{FFFA}"
  private static let terminator: Unicode.Scalar = "\u{FFFB}"

  /// Returns a text for a line that shows the value on request, and a summary otherwise.
  ///
  /// - Parameter summary: the words that replace the value.
  static func text(_ value: String, summary: String) -> String {
    var text = String.UnicodeScalarView()
    text.append(anchor)
    text.append(contentsOf: value.unicodeScalars.filter { !isMark($0) })
    text.append(separator)
    text.append(contentsOf: summary.unicodeScalars.filter { !isMark($0) })
    text.append(terminator)
    return String(text)
  }

  /// Returns a text for a line that shows the value on request, and its length otherwise.
  package static func text(_ value: String) -> String { text(value, summary: length(of: value)) }

  /// Returns the key of an object in brackets: `[7]`, or `[…]`.
  static func place(_ key: String) -> String { "[" + text(key, summary: "…") + "]" }

  /// Returns the length of a text as a phrase, such as `28 characters`.
  static func length(of value: String) -> String {
    let count = value.count
    return count == 1 ? "1 character" : "\(count) characters"
  }

  /// Returns a line with or without its values.
  ///
  /// - Parameter isShown: whether to show the values.
  static func resolved(_ line: String, isShown: Bool) -> String {
    // Most lines have no hidden values.
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

  /// Returns a summary of another library's error, without its text, which may contain secrets.
  static func summary(of error: any Error) -> String {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain, let code = Int32(exactly: error.code) {
      return "\(String(cString: strerror(code))) (error \(code))"
    }
    // The text of the system's error contains no values.
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error,
      (cause as NSError).domain == NSPOSIXErrorDomain
    {
      return summary(of: cause)
    }
    return "\(error.domain), code \(error.code)"
  }
}
