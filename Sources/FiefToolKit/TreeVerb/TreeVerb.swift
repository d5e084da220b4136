import Fief
import FiefConsole
import FiefTree
import Foundation

/// Shows and changes the JSON tree of a store.
enum TreeVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "tree",
    "Shows and changes the JSON tree of a store",
    discussion: [
      "PATH is names joined by slashes, or / for the whole tree. Actions that only read show the whole tree if PATH "
        + "is missing. The status is 6 if the store has no tree, or if nothing is at the place.",
      "With --json each value, name, child and event is one line, and other answers are one document.",
      "Nothing is changed without --write. Put -- before a negative number.",
    ],
    actions: direct.map(\.declaration)
      + [
        CommandDeclaration(
          "tree index",
          "Lists and removes the indexes of a tree",
          actions: indexActions.map(\.declaration)
        ),
        CommandDeclaration(
          "tree rules",
          "Checks and tries access rules, without a store",
          actions: ruleActions.map(\.declaration)
        ),
      ]
  )

  private static let direct = [
    get, keys, query, set, remove, watch, importJSON, exportJSON, check, lint,
  ]
  private static let actions = direct + indexActions + ruleActions

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let name = context.invocation.command.name
    guard let action = actions.first(where: { $0.declaration.name == name }) else { return .usage }
    return try action.run(context)
  }

  /// Returns whether an action answers with a report. The others write data, in lines.
  static func answersInOneDocument(_ command: CommandDeclaration) -> Bool {
    ![get, keys, query, watch, exportJSON].contains { $0.declaration.name == command.name }
  }

  // MARK: Words

  static let place = PositionalDeclaration("PATH", "the place; / for the whole tree", count: .optional)
  static let writtenPlace = PositionalDeclaration("PATH", "the place; / for the whole tree")

  /// Returns the path of a place that is read: the whole tree if the word is missing.
  static func path(_ context: ToolContext) throws -> String {
    try StoredTree.path(context.invocation.word(1) ?? "")
  }

  /// Returns the path of a place that is written. An empty word, such as a variable of a shell that is not set, is
  /// refused.
  static func writtenPath(_ context: ToolContext) throws -> String {
    guard let word = context.invocation.word(1), !word.isEmpty else {
      throw UsageError("PATH is empty: write / for the whole tree.", command: context.invocation.command.name)
    }
    return try StoredTree.path(word)
  }

  /// Parses JSON of the command line.
  ///
  /// - Parameter name: the name of the word or option.
  static func json(_ text: String, _ name: String) throws -> JSON {
    do { return try JSON(parsing: Data(text.utf8)) } catch let error as FiefError {
      throw ToolFailure(
        .usage,
        code: error.code.rawValue,
        "\(name) is not a JSON value: \(error.message)",
        next: "A text has double quotes inside of the quotes of the shell, as in '\"Fief\"'.",
        isChanged: nil,
        details: error.showingValues().details
      )
    }
  }

  /// Names the file of an error in its contents.
  static func inFile<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as FiefError {
      var failure = ToolFailure(error, store: nil)
      failure.place.insert((name: "file", value: name), at: 0)
      throw failure
    }
  }

  // MARK: Stores

  static func tree(in snapshot: DynamicSnapshot) throws -> StoredTree {
    do { return try StoredTree(snapshot) } catch let error as FiefError {
      guard error.code == .unknownType else { throw error }
      throw ToolFailure(
        .notFound,
        code: error.code.rawValue,
        "\(Format.printable(error.store ?? "The store")) has no tree.",
        next: "Its program gets one with JSONTree.objectTypes.",
        isChanged: nil
      )
    }
  }

  static func nothing(at path: String, _ store: String) -> ToolFailure {
    ToolFailure(
      .notFound,
      code: FiefError.Code.objectNotFound.rawValue,
      "The tree of \(Format.printable(store)) has nothing at '/\(Format.printable(path))'.",
      next: "'fief tree keys' shows the names of a place.",
      isChanged: nil
    )
  }
}
