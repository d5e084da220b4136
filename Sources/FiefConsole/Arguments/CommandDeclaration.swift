/// One command of a tool: `status`, `migrate`.
package struct CommandDeclaration: Sendable {
  /// The word on the command line.
  package var name: String
  /// The effect of the command, in one sentence without a full stop.
  package var summary: String
  /// Paragraphs of its help: its work in detail, its changes and its limits.
  package var discussion: [String]
  /// The words after the command, in order.
  package var positionals: [PositionalDeclaration]
  /// The command's options, besides those of the tool.
  package var options: [OptionDeclaration]
  /// Examples in its help.
  package var examples: [CommandLineTool.Example]

  /// Declares a command.
  package init(
    _ name: String,
    _ summary: String,
    discussion: [String] = [],
    positionals: [PositionalDeclaration] = [],
    options: [OptionDeclaration] = [],
    examples: [CommandLineTool.Example] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.positionals = positionals
    self.options = options
    self.examples = examples
  }
}

/// The completion that shells offer where a value is expected.
package enum ValueCompletion: Sendable, Equatable {
  /// Nothing.
  case none
  /// Files and directories.
  case files
  /// Directories.
  case directories
  /// One of these words. A value that is none of them is refused.
  case words([String])
  /// Words that the tool itself knows by that name, from the words before: `types`, `columns`. Scripts call
  /// it as `tool __complete NAME WORD... CURRENT`, with the words that are no options and the one that is
  /// typed, and offer its lines.
  case asked(String)

  /// The hidden command of the tool that answers ``asked(_:)``.
  package static let command = "__complete"
}

/// A word of the command line that is no option: `STORE`, `FROM`.
package struct PositionalDeclaration: Sendable {
  /// The number of words.
  package enum Count: Sendable, Equatable {
    /// One.
    case one
    /// One or none.
    case optional
    /// Any number.
    case any
    /// At least one.
    case atLeastOne
  }

  /// The name in the help, in capitals.
  package var name: String
  /// The meaning of the words.
  package var summary: String
  /// The number of words; only the last positional may take several.
  package var count: Count
  /// The completion that a shell offers for it.
  package var completion: ValueCompletion

  /// Declares a positional.
  package init(_ name: String, _ summary: String, count: Count = .one, completion: ValueCompletion = .none) {
    self.name = name
    self.summary = summary
    self.count = count
    self.completion = completion
  }
}
