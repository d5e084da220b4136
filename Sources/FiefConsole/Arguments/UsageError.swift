import Fief

/// A command line that cannot be understood.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The error, as a sentence.
  package var message: String
  /// The probable intention: "Did you mean 'status'?"
  package var suggestion: String?
  /// The command that was being read, nil before there was one.
  package var command: String?

  /// Makes an error.
  package init(_ message: String, suggestion: String? = nil, command: String? = nil) {
    self.message = message
    self.suggestion = suggestion
    self.command = command
  }

  /// Makes an error about a word that is not known, with the nearest of those that are.
  package init(_ message: String, unknown word: String, known: [String], command: String? = nil) {
    self.message = message
    self.command = command
    suggestion = NearestName.find(word, in: known).map { "Did you mean '\($0)'?" }
  }

  package var description: String {
    suggestion.map { "\(message) \($0)" } ?? message
  }
}
