import Fief

/// An error in a command line.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The error, as a sentence.
  package var message: String
  /// The likely intention: "Did you mean 'status'?"
  package var suggestion: String?
  /// The command that was being parsed, or `nil` before a command was found.
  package var command: String?

  /// Creates an error.
  package init(_ message: String, suggestion: String? = nil, command: String? = nil) {
    self.message = message
    self.suggestion = suggestion
    self.command = command
  }

  /// Creates an error about an unknown word, and suggests the nearest known word.
  package init(_ message: String, unknown word: String, known: [String], command: String? = nil) {
    self.message = message
    self.command = command
    suggestion = NearestName.find(word, in: known).map { "Did you mean '\($0)'?" }
  }

  package var description: String {
    suggestion.map { "\(message) \($0)" } ?? message
  }
}
