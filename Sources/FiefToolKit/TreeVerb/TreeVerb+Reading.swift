import Fief
import FiefConsole
import FiefTree

/// Values and names of a tree.
extension TreeVerb {
  static let get = TreeAction(
    "get",
    "Shows the value of a place",
    positionals: [ToolDeclaration.store, place],
    options: [
      OptionDeclaration("depth", value: "N", "Shows N levels; true stands for everything deeper."),
      OptionDeclaration("arrays", "Shows nodes whose names are indexes as arrays."),
    ],
    examples: [
      .init("fief tree get data/chat rooms/r1", "A room with everything in it, as JSON."),
      .init("fief tree get data/chat --depth 1", "The first names of the tree."),
    ]
  ) { context in
    let depth = try context.invocation.integer("depth", in: 0...Int.max)
    let path = try path(context)
    let store = try context.open()
    let value = try store.read {
      try tree(in: $0).value(at: path, depth: depth, hasArrays: context.invocation.has("arrays"))
    }
    if case .null = value { throw nothing(at: path, store.name) }
    // Characters that control a terminal are escaped.
    context.output.line(value.text(prettyPrinted: !context.isJSON, escaping: Format.isControl))
    return .done
  }

  static let keys = TreeAction(
    "keys",
    "Shows the names of the children of a place, without reading their values",
    positionals: [ToolDeclaration.store, place],
    options: [OptionDeclaration("limit", value: "N", "Shows the first N names.")],
    examples: [.init("fief tree keys data/chat rooms --limit 20", "The first names of the rooms.")]
  ) { context in
    let limit = try context.invocation.integer("limit", in: 1...Int.max) ?? .max
    let path = try path(context)
    let store = try context.open()
    var count = 0
    try store.read { snapshot in
      let stored = try tree(in: snapshot)
      // A value has no names, but it is there.
      guard try stored.exists(at: path) else { throw nothing(at: path, store.name) }
      try stored.forEachName(at: path) { name in
        let text = JSON.string(name).text(prettyPrinted: false, escaping: Format.isControl)
        context.output.line(context.isJSON ? text : Format.printable(name))
        count += 1
        return count < limit
      }
    }
    return .done
  }

  static let check = TreeAction(
    "check",
    "Looks for impossible entries of a tree",
    examples: [.init("fief tree check data/chat", "Whether the tree is intact.")]
  ) { context in
    let store = try context.open()
    let problems = try store.read { try tree(in: $0).problems() }
    if context.isJSON {
      context.print(["problems": .array(problems.map { .string($0) })])
    } else if problems.isEmpty {
      context.output.line("The tree of \(Format.printable(store.name)) is intact.")
    } else {
      context.output.line("The tree of \(Format.printable(store.name)) is damaged.")
      for problem in problems { context.output.line("  - " + Format.printable(problem)) }
    }
    return problems.isEmpty ? .done : .damaged
  }
}
