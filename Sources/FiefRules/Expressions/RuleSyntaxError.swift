/// An error in the text of a rule.
package struct RuleSyntaxError: Error {
  package let message: String
  /// The offset in the UTF-8 of the text.
  package let offset: Int

  init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }

  /// Returns the error of a text that begins at an offset of another one.
  func moved(by start: Int) -> RuleSyntaxError { RuleSyntaxError(message, at: offset + start) }
}
