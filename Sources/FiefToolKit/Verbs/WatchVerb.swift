import Fief
import FiefConsole

/// Shows the changes that other programs make, as they happen.
enum WatchVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "watch",
    "Prints changes of a store while other programs write to it",
    discussion: [
      "Without TYPE it follows all types and prints the keys of inserted, modified and deleted objects. With TYPE it "
        + "also prints values; with TEXT, a condition as for 'fief query', only objects that match the condition: an object "
        + "that begins to match is new, an object that no longer matches is removed.",
      "'+' is a new object, '~' an object with other values (old -> new), '-' a removed object, and with --initial '=' "
        + "an object that existed at the start. A line with the commit numbers and the time precedes each set. Changes "
        + "in quick succession are one set: each line shows the change of an object between two states of the "
        + "store, which were both committed. Writers never wait for this.",
      "With --json each change is an object on its own line: firstCommit, commit, time, change (inserted, modified, "
        + "deleted, or present with --initial), type, key, and with TYPE the current object, with --columns only "
        + "these properties; old has the earlier values of changed properties.",
      "With --columns only changes of these properties count.",
      "It compares states: it keeps 16 bytes and the key for each object that it follows, and for one TYPE the objects "
        + "themselves up to 64 MiB, for the earlier values. For objects beyond this limit, it shows only new values.",
      "It ends with Ctrl-C, after --count sets or --for seconds, with status 0; if the store is migrated meanwhile, "
        + "with status 1, and if it is deleted, with status 6. While it runs, the store is in use: it cannot be "
        + "compacted or restored. Changes nothing.",
    ],
    positionals: [
      ToolDeclaration.store,
      PositionalDeclaration("TYPE", ToolDeclaration.type.summary, count: .optional),
      PositionalDeclaration("TEXT", "a condition and clauses, as for 'fief query'", count: .optional),
      PositionalDeclaration("ARG", "values for each %@ in order, or for $0, $1", count: .any),
    ],
    options: [
      OptionDeclaration("initial", short: "i", "Also prints the objects that exist at the start.")
    ] + WatchSession.Limits.options + [
      OptionDeclaration(
        "columns",
        short: "c",
        value: "NAMES",
        "Properties to show and to compare, separated by commas."
      )
    ],
    examples: [
      .init("fief watch petstore-data/pets", "Which objects of any type change."),
      .init("fief watch petstore-data/pets Dog --columns name,age", "Two properties of dogs."),
      .init(
        "fief watch petstore-data/pets Dog \"age > 3\" --initial",
        "Dogs that are or become older than three."
      ),
      .init(
        "fief watch petstore-data/payments Order --count 1 --for 60",
        "Waits for the next change, at most a minute."
      ),
      .init("fief watch petstore-data/pets Dog --json | jq .key", "For another program."),
    ]
  )
  static func answersInOneDocument(_ command: CommandDeclaration) -> Bool { false }

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let limits = try WatchSession.Limits(context)
    let store = try context.open()
    let types = WatchedTypes(context, try parts(of: store, context))
    try WatchSession(context, store, types.compare).run(limits)
    return .done
  }

  private static func parts(of store: DynamicStore, _ context: ToolContext) throws -> [WatchedType] {
    guard let name = context.invocation.word(1) else {
      guard !context.invocation.has("columns") else {
        throw UsageError("'--columns' needs a TYPE.", command: "watch")
      }
      return store.types.filter { !$0.isEmbedded }.map {
        WatchedType($0, columns: [], counted: nil, query: nil)
      }
    }
    let type = try context.type(named: name, in: store)
    let columns = try ListVerb.columns(of: type, context, command: "watch")
    let counted = context.invocation.has("columns") ? columns : nil
    guard context.invocation.word(2) != nil else {
      // Checked now, so that an embedded type is an error immediately and not at the first change.
      _ = try store.count(of: type.name)
      return [WatchedType(type, columns: columns, counted: counted, query: nil)]
    }
    _ = try store.read { try QueryVerb.query(type, context, $0) }
    return [
      WatchedType(type, columns: columns, counted: counted) { try QueryVerb.query(type, context, $0) }
    ]
  }
}
