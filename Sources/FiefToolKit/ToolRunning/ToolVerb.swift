import FiefConsole

/// A command of the tool.
protocol ToolVerb: Sendable {
  /// The declaration of the command: its name, help and options.
  static var declaration: CommandDeclaration { get }
  /// Whether the output is a single document, so that an error can be a document, too.
  static var answersInOneDocument: Bool { get }
  /// Runs the command.
  static func run(_ context: ToolContext) throws -> ExitStatus
}

extension ToolVerb {
  static var answersInOneDocument: Bool { true }
}
