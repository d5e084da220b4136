import Fief
import FiefConsole
import FiefTree
import Foundation

/// Queries and changes of children.
extension TreeVerb {
  private static let bounds = [
    OptionDeclaration(
      "start",
      value: "V",
      "Begins at a value: JSON, or else a text. With --by .key it is a name, without quotes."
    ),
    OptionDeclaration("end", value: "V", "Ends at a value."),
    OptionDeclaration("equal", value: "V", "Shows only children with a value."),
    OptionDeclaration("first", value: "N", "Shows the first N children."),
    OptionDeclaration("last", value: "N", "Shows the last N children."),
  ]

  private static func order(isRequired: Bool) -> OptionDeclaration {
    OptionDeclaration(
      "by",
      value: "ORDER",
      isRequired: isRequired,
      "Orders the children by the value at a path below each of them, by .value or by .key."
    )
  }

  static let query = TreeAction(
    "query",
    "Shows the children of a place in an order",
    positionals: [ToolDeclaration.store, place],
    options: [order(isRequired: true)] + bounds,
    examples: [
      .init("fief tree query data/chat rooms/r1 --by at --last 20", "The newest children of a room."),
      .init(
        "fief tree query data/chat rooms --by .key --start r1 --end r5",
        "The rooms with names in a range."
      ),
    ]
  ) { context in
    let query = try selection(context) ?? StoredTree.Query()
    let path = try path(context)
    let store = try context.open()
    let children = try store.read { snapshot in
      let stored = try tree(in: snapshot)
      guard try stored.exists(at: path) else { throw nothing(at: path, store.name) }
      return try stored.children(at: path, query)
    }
    for (name, value) in children {
      let line: JSON = context.isJSON ? ["key": .string(name), "value": value] : value
      let text = line.text(prettyPrinted: false, escaping: Format.isControl)
      context.output.line(context.isJSON ? text : Format.printable(name) + ": " + text)
    }
    return .done
  }

  static let watch = TreeAction(
    "watch",
    "Shows the value of a place, and again after each change by any program",
    discussion: [
      "With --by it shows the children, and then '+' for a child that has come, '~' for a changed, '>' for a moved "
        + "and '-' for a removed one. It ends with Ctrl-C, after --count sets of changes or --for seconds."
    ],
    positionals: [ToolDeclaration.store, place],
    options: [order(isRequired: false)] + bounds + WatchSession.Limits.options,
    examples: [
      .init("fief tree watch data/chat rooms/r1 --by .key", "The children of a room, and their changes."),
      .init(
        "fief tree watch data/chat rooms/r1 --by at --last 20",
        "The newest children, as they come and go."
      ),
    ]
  ) { context in
    let limits = try WatchSession.Limits(context)
    let path = try path(context)
    let follower = try StoredTree.Follower(at: path, try selection(context))
    let watched = WatchedTree(context, path, follower)
    try WatchSession(context, try context.open(), watched.compare).run(limits)
    return .done
  }

  /// Returns the query that the options describe; `nil` without an order.
  private static func selection(_ context: ToolContext) throws -> StoredTree.Query? {
    let invocation = context.invocation
    try context.refuseSeveral(of: ["first", "last"])
    try context.refuseSeveral(of: ["start", "equal"])
    try context.refuseSeveral(of: ["end", "equal"])
    guard let order = try order(context, or: [".value", ".key"]) else {
      for option in bounds where invocation.has(option.name) {
        throw UsageError(
          "'--\(option.name)' needs --by, the order of the children.",
          command: invocation.command.name
        )
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

  /// Returns the order that `--by` names.
  ///
  /// - Parameter others: the orders that are not paths.
  static func order(_ context: ToolContext, or others: [String]) throws -> String? {
    guard let order = context.invocation["by"] else { return nil }
    guard !order.hasPrefix(".") || others.contains(order) else {
      throw UsageError(
        "--by takes a path below each child or \(others.joined(separator: " or ")), not "
          + "'\(Format.printable(order))'.",
        command: context.invocation.command.name
      )
    }
    return order
  }
}
