import FiefConsole

/// One command of the tool.
protocol ToolVerb: Sendable {
  /// Its declaration: name, help, options.
  static var declaration: CommandDeclaration { get }
  /// Whether its output is one document, so that an error can be one too.
  static var answersInOneDocument: Bool { get }
  /// Does it.
  static func run(_ context: ToolContext) throws -> ExitStatus
}

extension ToolVerb {
  static var answersInOneDocument: Bool { true }
}
