import Fief
import FiefConsole
import FiefTree
import Foundation

/// Changes of one place.
extension TreeVerb {
  static let set = TreeAction(
    "set",
    "Replaces the value of a place and everything below it, in one commit",
    positionals: [
      ToolDeclaration.store, writtenPlace,
      PositionalDeclaration("JSON", "the value, or - to read it from standard input"),
    ],
    options: [ToolDeclaration.write],
    examples: [
      .init("fief tree set data/chat rooms/r1/title '\"Fief\"' --write", "A text, which JSON has in quotes."),
      .init("fief tree set data/chat count '{\".sv\":{\"increment\":1}}' --write", "One more."),
      .init("fief tree set data/chat count --write -- -5", "A negative number."),
    ]
  ) { context in
    let text = context.invocation.word(2) ?? ""
    if text == "-" {
      let value = try inFile("standard input") { try JSON(parsing: input(context)) }
      return try set(value, context)
    }
    return try set(try json(text, "JSON"), context)
  }

  static let remove = TreeAction(
    "rm",
    "Removes a place with everything below it, in one commit",
    positionals: [ToolDeclaration.store, writtenPlace],
    options: [ToolDeclaration.write],
    examples: [.init("fief tree rm data/chat rooms/r1 --write", "A room with everything in it.")]
  ) { context in try set(.null, context) }

  private static func set(_ value: JSON, _ context: ToolContext) throws -> ExitStatus {
    let path = try writtenPath(context)
    try context.requireWrite()
    let store = try context.open(forWriting: true)
    let isChanged = try store.write { transaction in
      _ = try tree(in: transaction)
      return try StoredTree.setValue(value, at: path, in: transaction)
    }
    if context.isJSON {
      context.print(["path": .string(path), "changed": .bool(isChanged)])
    } else {
      context.output.line(isChanged ? "The tree was changed." : "The tree has this value already.")
    }
    return isChanged ? .done : .nothingToDo
  }

  private static func input(_ context: ToolContext) throws -> Data {
    var data = Data()
    while true {
      let more = try context.streams.readInput()
      if more.isEmpty { return data }
      data.append(more)
    }
  }
}
