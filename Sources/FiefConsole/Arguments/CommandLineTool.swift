/// The declaration of a tool with commands: its parser, its help and its completion scripts come from it.
package struct CommandLineTool: Sendable {
  /// An example of a command line, and its purpose.
  package struct Example: Sendable {
    package var commandLine: String
    package var explanation: String

    /// Makes an example; `commandLine` begins with the tool's name.
    package init(_ commandLine: String, _ explanation: String) {
      self.commandLine = commandLine
      self.explanation = explanation
    }
  }

  /// The name that the tool is called by.
  package var name: String
  /// The purpose of the tool, in one sentence without a full stop.
  package var summary: String
  /// Paragraphs of the tool's help.
  package var discussion: [String]
  /// The commands, in the order of the help.
  package var commands: [CommandDeclaration]
  /// Options that every command has; they may stand before or after its name.
  package var options: [OptionDeclaration]
  /// Examples in the tool's help.
  package var examples: [Example]
  /// The exit statuses with their meanings.
  package var exitStatuses: [(status: ExitStatus, meaning: String)]
  /// The text of `--version`; nil where there is no such option.
  package var version: String?

  /// Declares a tool. `help`, `--help` and `completion` are there by themselves.
  package init(
    name: String,
    summary: String,
    discussion: [String] = [],
    commands: [CommandDeclaration],
    options: [OptionDeclaration] = [],
    examples: [Example] = [],
    exitStatuses: [(status: ExitStatus, meaning: String)] = [],
    version: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.commands = commands + [Self.completionCommand(name)]
    self.options = options + Self.ownOptions(hasVersion: version != nil)
    self.examples = examples
    self.exitStatuses = exitStatuses
    self.version = version
  }

  /// The command of a name.
  package func command(named name: String) -> CommandDeclaration? {
    commands.first { $0.name == name }
  }

  private static func ownOptions(hasVersion: Bool) -> [OptionDeclaration] {
    var own = [OptionDeclaration("help", short: "h", "Shows this help.")]
    if hasVersion { own.append(OptionDeclaration("version", "Shows the version.")) }
    return own
  }

  private static func completionCommand(_ name: String) -> CommandDeclaration {
    CommandDeclaration(
      "completion",
      "Prints a script that completes commands and options in a shell",
      discussion: [
        "For bash, put the output into ~/.local/share/bash-completion/completions/\(name). For zsh, put it "
          + "into a file _\(name) in a directory of $fpath."
      ],
      positionals: [
        PositionalDeclaration("SHELL", "bash or zsh", completion: .words(["bash", "zsh"]))
      ],
      examples: [Example("source <(\(name) completion bash)", "Completion in this shell only.")]
    )
  }
}
