/// The declaration of a tool with commands, from which its parser, help and completion scripts are derived.
package struct CommandLineTool: Sendable {
  /// An example of a command line and its explanation.
  package struct Example: Sendable {
    package var commandLine: String
    package var explanation: String

    /// Creates an example. `commandLine` begins with the tool's name.
    package init(_ commandLine: String, _ explanation: String) {
      self.commandLine = commandLine
      self.explanation = explanation
    }
  }

  /// The name of the tool on the command line.
  package var name: String
  /// The purpose of the tool, in one sentence without a full stop.
  package var summary: String
  /// Paragraphs for the tool's help.
  package var discussion: [String]
  /// The commands, in the order of the help.
  package var commands: [CommandDeclaration]
  /// Options that every command accepts. They may appear before or after the command.
  package var options: [OptionDeclaration]
  /// Examples for the tool's help.
  package var examples: [Example]
  /// The exit statuses and their meanings.
  package var exitStatuses: [(status: ExitStatus, meaning: String)]
  /// The output of `--version`, or `nil` if the tool has no such option.
  package var version: String?

  /// Creates a tool. `help`, `--help` and `completion` are added automatically.
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

  /// Returns the command with a name.
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
