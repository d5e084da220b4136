/// One command of a tool: `status`, `migrate`.
package struct CommandDeclaration: Sendable {
  /// The word on the command line.
  package var name: String
  /// What it does, in one sentence without a full stop.
  package var summary: String
  /// Paragraphs of its help: what it does in detail, what it changes and what it leaves alone.
  package var discussion: [String]
  /// What stands after the command, in order.
  package var positionals: [PositionalDeclaration]
  /// Its options, besides those of the tool.
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

/// What completion scripts offer where a value is expected.
package enum ValueCompletion: Sendable, Equatable {
  /// Nothing.
  case none
  /// Files and directories.
  case files
  /// Directories.
  case directories
  /// One of these words. A value that is none of them is refused.
  case words([String])
  /// What the tool itself knows of that name, from the words before: `types`, `columns`. Scripts call it as
  /// `tool __complete NAME WORD... CURRENT`, with the words that are no options and the one that is typed, and offer
  /// its lines.
  case asked(String)

  /// The hidden command of the tool that answers ``asked(_:)``.
  package static let command = "__complete"
}

/// A word of the command line that is no option: `STORE`, `FROM`.
package struct PositionalDeclaration: Sendable {
  /// How many words.
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
  /// What it is.
  package var summary: String
  /// How many words it takes; only the last positional may take several.
  package var count: Count
  /// What a shell offers for it.
  package var completion: ValueCompletion

  /// Declares a positional.
  package init(_ name: String, _ summary: String, count: Count = .one, completion: ValueCompletion = .none) {
    self.name = name
    self.summary = summary
    self.count = count
    self.completion = completion
  }
}
