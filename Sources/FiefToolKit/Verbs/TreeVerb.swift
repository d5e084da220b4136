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
      "ACTION is get, keys, query, set, rm, watch, import, export, check, lint, index or rules. 'get' shows the "
        + "value of a place, 'keys' the names of its children, which takes little time however large they are, and "
        + "'query' children in an order. 'set' and 'rm' change one place with everything below it, in one commit. "
        + "'check' looks for impossible entries. 'index list STORE' shows the indexes of the tree, and 'index drop "
        + "STORE PATTERN' removes one.",
      "'watch' shows the value of a place, and again after each change by any program. With --by it shows the "
        + "children, and then '+' for a new child, '~' for a changed and '-' for a removed one. It ends with "
        + "Ctrl-C, after --count sets of changes or --for seconds.",
      "'import' replaces a place by the value in a JSON file of any size, in one commit; it accepts exports of "
        + "the Realtime Database. 'export' writes the value of a place, in the order of the tree. 'lint "
        + "--firebase' lists what the Realtime Database refuses; the status is 1 if there is anything.",
      "'rules check FILE' reads a file of access rules. 'rules test FILE --data FILE --auth JSON' tries them on the JSON of "
        + "a tree: add 'read PATH' or 'write PATH JSON'. It shows each rule that was evaluated; the status is 4 if the rules refuse.",
      "PATH is names joined by slashes, and the whole tree if it is missing. The status is 6 if the store has "
        + "no tree, or if nothing is at the place. Nothing is changed without --write. Put -- before a "
        + "negative number.",
    ],
    positionals: [
      PositionalDeclaration(
        "ACTION",
        "get, keys, query, set, rm, watch, import, export, check, lint, index or rules",
        completion: .words([
          "get", "keys", "query", "set", "rm", "watch", "import", "export", "check", "lint", "index", "rules",
        ])
      ),
      ToolDeclaration.store,
      PositionalDeclaration("PATH", "the place; the file of 'import'", count: .optional),
      PositionalDeclaration(
        "JSON",
        "the value of 'set', or - to read it from standard input",
        count: .any
      ),
    ],
    options: [
      ToolDeclaration.write,
      OptionDeclaration("depth", value: "N", "Shows N levels of 'get'; true stands for everything deeper."),
      OptionDeclaration("arrays", "Shows nodes whose names are indexes as arrays."),
      OptionDeclaration("limit", value: "N", "Shows the first N names of 'keys'."),
      OptionDeclaration("at", value: "PATH", "The place of 'import' and 'export'; / for the whole tree."),
      OptionDeclaration(
        "output",
        short: "o",
        value: "FILE",
        completion: .files,
        "The file of 'export', which is replaced when it is complete; standard output by default."
      ),
      OptionDeclaration("firebase", "Compares with the limits of the Realtime Database."),
      OptionDeclaration("data", value: "FILE", "The JSON of the tree for 'rules test'."),
      OptionDeclaration(
        "auth",
        value: "JSON",
        "The client of 'rules test': {\"uid\": …}, or null if it is signed out."
      ),
    ] + queryOptions + WatchSession.Limits.options,
    examples: [
      .init("fief tree get data/chat rooms/r1", "A room with everything in it, as JSON."),
      .init("fief tree get data/chat --depth 1", "The first names of the tree."),
      .init("fief tree keys data/chat rooms --limit 20", "The first names of the rooms."),
      .init("fief tree query data/chat rooms/r1 --by at --last 20", "The newest children of a room."),
      .init("fief tree set data/chat rooms/r1/title '\"Fief\"' --write", "A text, which JSON has in quotes."),
      .init("fief tree set data/chat count '{\".sv\":{\"increment\":1}}' --write", "One more."),
      .init("fief tree rm data/chat rooms/r1 --write", "A room with everything in it."),
      .init("fief tree watch data/chat rooms/r1 --by .key", "The children of a room, and their changes."),
      .init("fief tree import data/chat rooms.json --at rooms --write", "Replaces the rooms."),
      .init("fief tree export data/chat --at rooms -o rooms.json", "The rooms as a file."),
      .init("fief tree lint data/chat --firebase", "What the Realtime Database would refuse."),
      .init(
        "fief tree watch data/chat rooms/r1 --by at --last 20",
        "The newest children, as they come and go."
      ),
      .init("fief tree check data/chat", "Whether the tree is intact."),
      .init("fief tree index list data/chat", "The indexes of the tree."),
      .init("fief tree index drop data/chat 'rooms/$room' --by at --write", "Without one of them."),
      .init("fief tree rules check rules.json", "Whether access rules are well-formed."),
      .init(
        "fief tree rules test rules.json --data tree.json --auth '{\"uid\":\"ada\"}' read users/ada",
        "Whether a client may read a place, and why."
      ),
    ]
  )

  static let storeIndex = 1

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let invocation = context.invocation
    let path = invocation.word(2) ?? ""
    let action = invocation.word(0) ?? ""
    if action == "index" { return try index(context) }
    if action == "rules" { return try TreeRulesCommand(context).run() }
    if let surplus = invocation.word(mostWords(of: action)) {
      throw UsageError("'\(Format.printable(surplus))' is an unexpected argument.", command: "tree")
    }
    switch action {
    case "get": return try get(path, context)
    case "keys": return try keys(path, context)
    case "query": return try query(path, context)
    case "set":
      guard let text = invocation.word(3) else {
        throw UsageError("JSON is missing: the value of the place.", command: "tree")
      }
      return try set(try JSON(parsing: text == "-" ? input(context) : Data(text.utf8)), path, context)
    case "rm": return try set(.null, path, context)
    case "watch": return try watch(path, context)
    case "import": return try importJSON(context)
    case "export": return try exportJSON(context)
    case "lint": return try lint(context)
    default: return try check(context)
    }
  }

  /// The number of words that an action has, with its own name.
  private static func mostWords(of action: String) -> Int {
    switch action {
    case "set": 4
    // Their place is an option, or the whole tree.
    case "export", "check", "lint": 2
    default: 3
    }
  }

  static func open(_ context: ToolContext, forWriting: Bool = false, word: Int = storeIndex) throws
    -> DynamicStore
  {
    let path = try StorePath.directory(of: context.invocation.word(word) ?? "")
    return try context.open(
      path,
      forWriting: forWriting,
      context.invocation.has("no-verify") ? .quick : .full
    )
  }

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

  private static func get(_ path: String, _ context: ToolContext) throws -> ExitStatus {
    let depth = try context.invocation.integer("depth", in: 0...Int.max)
    let store = try open(context)
    let value = try store.read {
      try tree(in: $0).value(at: path, depth: depth, hasArrays: context.invocation.has("arrays"))
    }
    if case .null = value { throw nothing(at: path, store.name) }
    // Characters that control a terminal are escaped.
    context.output.line(value.text(prettyPrinted: !context.isJSON, escaping: Format.isControl))
    return .done
  }

  private static func keys(_ path: String, _ context: ToolContext) throws -> ExitStatus {
    let limit = try context.invocation.integer("limit", in: 1...Int.max) ?? .max
    let store = try open(context)
    var names: [String] = []
    var count = 0
    try store.read { snapshot in
      let stored = try tree(in: snapshot)
      // A value has no names, but it is there.
      guard try stored.exists(at: path) else { throw nothing(at: path, store.name) }
      try stored.forEachName(at: path) { name in
        if context.isJSON { names.append(name) } else { context.output.line(Format.printable(name)) }
        count += 1
        return count < limit
      }
    }
    if context.isJSON { context.print(.array(names.map { .string($0) })) }
    return .done
  }

  private static func set(_ value: JSON, _ path: String, _ context: ToolContext) throws -> ExitStatus {
    try context.requireWrite("'fief tree'")
    let store = try open(context, forWriting: true)
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

  private static func watch(_ path: String, _ context: ToolContext) throws -> ExitStatus {
    let limits = try WatchSession.Limits(context)
    let follower = try StoredTree.Follower(at: path, try query(context))
    let watched = WatchedTree(context, path, follower)
    try WatchSession(context, try open(context), watched.compare).run(limits)
    return .done
  }

  private static func check(_ context: ToolContext) throws -> ExitStatus {
    let store = try open(context)
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

  private static func input(_ context: ToolContext) throws -> Data {
    var data = Data()
    while true {
      let more = try context.streams.readInput()
      if more.isEmpty { return data }
      data.append(more)
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
