import FiefConsole

/// A command of the tool.
protocol ToolVerb: Sendable {
  /// The declaration of the command: its name, help and options.
  static var declaration: CommandDeclaration { get }
  /// Returns whether the output of the command is a single document, so that an error can be a document, too.
  static func answersInOneDocument(_ command: CommandDeclaration) -> Bool
  /// Runs the command.
  static func run(_ context: ToolContext) throws -> ExitStatus
}

extension ToolVerb {
  static func answersInOneDocument(_ command: CommandDeclaration) -> Bool { true }
}
