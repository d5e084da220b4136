import Fief
import FiefConsole
import FiefTree
import Foundation

/// Queries and indexes.
extension TreeVerb {
  static let queryOptions = [
    OptionDeclaration(
      "by",
      value: "ORDER",
      "Orders 'query' by the value at a path below each child, by .value or by .key; names the order of an index."
    ),
    OptionDeclaration("start", value: "V", "Begins 'query' at a value: JSON, or else a text."),
    OptionDeclaration("end", value: "V", "Ends 'query' at a value."),
    OptionDeclaration("equal", value: "V", "Shows only children with a value."),
    OptionDeclaration("first", value: "N", "Shows the first N children of 'query'."),
    OptionDeclaration("last", value: "N", "Shows the last N children of 'query'."),
    OptionDeclaration("group", "The pattern of 'index drop' is the name of a group."),
  ]

  /// Returns the query that the options describe; `nil` without an order.
  static func query(_ context: ToolContext) throws -> StoredTree.Query? {
    let invocation = context.invocation
    try context.refuseSeveral(of: ["first", "last"])
    try context.refuseSeveral(of: ["start", "equal"])
    try context.refuseSeveral(of: ["end", "equal"])
    guard let order = invocation["by"] else {
      for option in ["start", "end", "equal", "first", "last"] where invocation.has(option) {
        throw UsageError("'--\(option)' needs --by, the order of the children.", command: "tree")
      }
      return nil
    }
    func bound(_ name: String) -> JSON? {
      guard let text = invocation[name] else { return nil }
      // Keys are texts, also if they look like numbers.
      if order == ".key" { return .string(text) }
      return (try? JSON(parsing: Data(text.utf8))) ?? .string(text)
    }
    var query = StoredTree.Query()
    query.order = order
    query.start = bound("start")
    query.end = bound("end")
    query.equal = bound("equal")
    query.first = try invocation.integer("first", in: 1...Int.max)
    query.last = try invocation.integer("last", in: 1...Int.max)
    return query
  }

  static func query(_ path: String, _ context: ToolContext) throws -> ExitStatus {
    guard let query = try query(context) else {
      throw UsageError("--by is missing: a path below each child, .value or .key.", command: "tree")
    }
    let store = try open(context)
    let children = try store.read { snapshot in
      let stored = try tree(in: snapshot)
      guard try stored.exists(at: path) else { throw nothing(at: path, store.name) }
      return try stored.children(at: path, query)
    }
    if context.isJSON {
      let list = children.map { child -> JSON in ["key": .string(child.name), "value": child.value] }
      context.output.line(JSON.array(list).text(prettyPrinted: false, escaping: Format.isControl))
    } else {
      for (name, value) in children {
        let text = value.text(prettyPrinted: false, escaping: Format.isControl)
        context.output.line(Format.printable(name) + ": " + text)
      }
    }
    return .done
  }

  static func index(_ context: ToolContext) throws -> ExitStatus {
    let invocation = context.invocation
    let (action, pattern) = (invocation.word(1), invocation.word(3))
    switch (action, pattern) {
    case ("list", nil): return try listIndexes(context)
    case ("drop", let pattern?):
      guard let order = invocation["by"] else {
        throw UsageError("--by is missing: the order of the index.", command: "tree")
      }
      return try dropIndex(pattern, on: order, context)
    default:
      throw UsageError(
        "'index' is followed by 'list STORE' or 'drop STORE PATTERN --by ORDER'.",
        command: "tree"
      )
    }
  }

  private static func listIndexes(_ context: ToolContext) throws -> ExitStatus {
    let store = try open(context, word: 2)
    let indexes = try store.read { try tree(in: $0).indexes() }
    if context.isJSON {
      let list = indexes.map { index -> JSON in
        let place: JSON =
          index.pattern.map { ["pattern": .string($0)] } ?? ["group": .string(index.group ?? "")]
        var line = place
        line["order"] = .string(index.order)
        line["complete"] = .bool(index.isComplete)
        return line
      }
      context.output.line(JSON.array(list).text(prettyPrinted: false, escaping: Format.isControl))
    } else if indexes.isEmpty {
      context.output.line("The tree of \(Format.printable(store.name)) has no indexes.")
    } else {
      for index in indexes { context.output.line(Format.printable("\(index)")) }
    }
    return .done
  }

  private static func dropIndex(_ pattern: String, on order: String, _ context: ToolContext) throws
    -> ExitStatus
  {
    try context.requireWrite("'fief tree'")
    let store = try open(context, forWriting: true, word: 2)
    let isRemoved = try store.write { transaction in
      _ = try tree(in: transaction)
      return try StoredTree.removeIndex(
        pattern,
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
