import Fief
import FiefConsole
import FiefTree

/// Indexes of a tree.
extension TreeVerb {
  static let indexActions = [
    TreeAction(
      "index list",
      "Lists the indexes of a tree",
      examples: [.init("fief tree index list data/chat", "The indexes of the tree.")],
      run: listIndexes
    ),
    TreeAction(
      "index drop",
      "Removes an index of a tree",
      discussion: ["A program whose rules declare the index adds it again."],
      positionals: [
        ToolDeclaration.store,
        PositionalDeclaration("PATTERN", "the pattern of the index; with --group the name of its group"),
      ],
      options: [
        OptionDeclaration(
          "by",
          value: "ORDER",
          isRequired: true,
          "The order of the index: a path below each child, or .value."
        ),
        OptionDeclaration("group", "The index is the index of a group."), ToolDeclaration.write,
      ],
      examples: [.init("fief tree index drop data/chat 'rooms/$room' --by at --write", "Without one index.")],
      run: dropIndex
    ),
  ]

  @Sendable private static func listIndexes(_ context: ToolContext) throws -> ExitStatus {
    let store = try context.open()
    let indexes = try store.read { try tree(in: $0).indexes() }
    if context.isJSON {
      let list = indexes.map { index -> JSONValue in
        [
          "pattern": .text(index.pattern), "group": .text(index.group), "order": .string(index.order),
          "complete": .bool(index.isComplete),
        ]
      }
      context.print(.array(list))
    } else if indexes.isEmpty {
      context.output.line("The tree of \(Format.printable(store.name)) has no indexes.")
    } else {
      for index in indexes { context.output.line(Format.printable("\(index)")) }
    }
    return .done
  }

  @Sendable private static func dropIndex(_ context: ToolContext) throws -> ExitStatus {
    let order = try order(context, or: [".value"]) ?? ""
    try context.requireWrite()
    let store = try context.open(forWriting: true)
    let isRemoved = try store.write { transaction in
      _ = try tree(in: transaction)
      return try StoredTree.removeIndex(
        context.invocation.word(1) ?? "",
        isGroup: context.invocation.has("group"),
        on: order,
        in: transaction
      )
    }
    if context.isJSON {
      context.print(["removed": .bool(isRemoved)])
    } else {
      context.output.line(isRemoved ? "The index was removed." : "The tree has no such index.")
    }
    return isRemoved ? .done : .nothingToDo
  }
}
