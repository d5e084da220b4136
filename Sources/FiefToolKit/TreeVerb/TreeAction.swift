import FiefConsole

/// An action of `fief tree`.
struct TreeAction: Sendable {
  let declaration: CommandDeclaration
  let run: @Sendable (ToolContext) throws -> ExitStatus

  /// - Parameter name: the words after `fief tree`.
  init(
    _ name: String,
    _ summary: String,
    discussion: [String] = [],
    positionals: [PositionalDeclaration] = [ToolDeclaration.store],
    options: [OptionDeclaration] = [],
    examples: [CommandLineTool.Example],
    run: @escaping @Sendable (ToolContext) throws -> ExitStatus
  ) {
    declaration = CommandDeclaration(
      "tree " + name,
      summary,
      discussion: discussion,
      positionals: positionals,
      options: options,
      examples: examples
    )
    self.run = run
  }
}
