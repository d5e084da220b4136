/// A command of a tool, such as `status` or `migrate`.
package struct CommandDeclaration: Sendable {
  /// The word on the command line; for an action the words, such as `tree get`.
  package var name: String
  /// The effect of the command, in one sentence without a full stop.
  package var summary: String
  /// The paragraphs of the command's help: its purpose, its effects and its limits.
  package var discussion: [String]
  /// The words after the command, in order.
  package var positionals: [PositionalDeclaration]
  /// The options of the command, in addition to the options of the tool.
  package var options: [OptionDeclaration]
  /// Examples for its help.
  package var examples: [CommandLineTool.Example]
  /// The actions of the command. A command with actions does nothing without one.
  package private(set) var actions: [CommandDeclaration] = []

  /// Creates the declaration of a command.
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

  /// Creates the declaration of a command with actions, whose words and options its completion offers.
  ///
  /// - Parameter actions: the actions. Their names begin with the name of the command and a space.
  package init(
    _ name: String,
    _ summary: String,
    discussion: [String] = [],
    actions: [CommandDeclaration]
  ) {
    let words = actions.map(\.word)
    self.init(
      name,
      summary,
      discussion: discussion,
      positionals: [
        PositionalDeclaration("ACTION", words.joined(separator: ", "), completion: .words(words)),
        PositionalDeclaration("ARGUMENT", "the arguments of the action", count: .any, completion: .files),
      ],
      examples: actions.flatMap(\.examples)
    )
    for option in actions.flatMap(\.options) where !options.contains(where: { $0.name == option.name }) {
      options.append(option)
    }
    self.actions = actions
  }

  /// The last word of the name.
  var word: String { name.split(separator: " ").last.map { String($0) } ?? name }

  /// The command, or its actions and their actions.
  package var leaves: [CommandDeclaration] { actions.isEmpty ? [self] : actions.flatMap(\.leaves) }
}

/// The completions that shells offer for a value.
package enum ValueCompletion: Sendable, Equatable {
  /// No completion.
  case none
  /// Files and directories.
  case files
  /// Directories.
  case directories
  /// One of these words. Other values are rejected.
  case words([String])
  /// Words that the tool itself determines from the preceding words, such as `types` or `columns`. Scripts
  /// call it as `tool __complete NAME WORD... CURRENT`, with the words that are not options and the word
  /// being typed, and offer the lines of its output.
  case asked(String)

  /// The hidden command of the tool that answers ``asked(_:)``.
  package static let command = "__complete"
}

/// A word of the command line that is not an option, such as `STORE` or `FROM`.
package struct PositionalDeclaration: Sendable {
  /// The number of words that a positional accepts.
  package enum Count: Sendable, Equatable {
    /// Exactly one.
    case one
    /// At most one.
    case optional
    /// Any number.
    case any
    /// At least one.
    case atLeastOne
  }

  /// The name in the help, in capital letters.
  package var name: String
  /// A description of the words, for the help.
  package var summary: String
  /// The number of words. Only the last positional may accept several.
  package var count: Count
  /// The completion that a shell offers for the words.
  package var completion: ValueCompletion

  /// Creates the declaration of a positional.
  package init(_ name: String, _ summary: String, count: Count = .one, completion: ValueCompletion = .none) {
    self.name = name
    self.summary = summary
    self.count = count
    self.completion = completion
  }
}
