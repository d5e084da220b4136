import Fief
import FiefConsole

/// Shows the changes that other programs make, as they happen.
enum WatchVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "watch",
    "Prints what changes in a store while other programs write to it",
    discussion: [
      "Without TYPE it follows all types and prints the keys of what was inserted, modified and deleted. With TYPE it "
        + "prints values too; with TEXT, a condition as 'fief query' takes it, only what fulfils the condition: an object "
        + "that begins to fulfil it is new, one that no longer does is gone.",
      "'+' is an object that is new, '~' one with other values (old -> new), '-' one that is gone, and with --initial '=' "
        + "one that was there at the start. Above the lines of a set stand the numbers of its commits and the time. What "
        + "comes in quick succession is one set: each line says what has become of an object between two states of the "
        + "store, both of which were committed. Writers never wait for this.",
      "With --json each change is an object in a line of its own: firstCommit, commit, time, change (inserted, modified, "
        + "deleted, or present with --initial), type, key, and with TYPE the object as it is now, with --columns only "
        + "these properties; old has the earlier values of what has changed.",
      "With --columns only changes of these properties count.",
      "States are compared: it keeps 16 bytes and the key for each object that it follows, and of one TYPE the objects "
        + "themselves up to 64 MiB, for the earlier values. Of what does not fit there, only new values are shown.",
      "It ends with Ctrl-C, after --count sets or --for seconds, with status 0; where the store is migrated meanwhile, "
        + "with status 1, and where it is deleted, with status 6. As long as it runs, the store is in use: it cannot be "
        + "compacted or restored. Changes nothing.",
    ],
    positionals: [
      ToolDeclaration.store,
      PositionalDeclaration("TYPE", ToolDeclaration.type.summary, count: .optional),
      PositionalDeclaration("TEXT", "a condition and clauses, as 'fief query' takes them", count: .optional),
      PositionalDeclaration("ARG", "values for %@ in turn, or for $0, $1", count: .any),
    ],
    options: [
      OptionDeclaration("initial", short: "i", "Prints what is there at the start, too."),
      OptionDeclaration("count", short: "n", value: "N", "Ends after so many sets of changes."),
      OptionDeclaration("for", value: "SECONDS", "Ends after so many seconds."),
      OptionDeclaration(
        "columns",
        short: "c",
        value: "NAMES",
        "Properties to show and to look at, with commas between them."
      ),
    ],
    examples: [
      .init("fief watch petstore-data/pets", "Which objects of any type change."),
      .init("fief watch petstore-data/pets Dog --columns name,age", "Two properties of dogs."),
      .init(
        "fief watch petstore-data/pets Dog \"age > 3\" --initial",
        "Who is older than three, and who becomes so."
      ),
      .init(
        "fief watch petstore-data/payments Order --count 1 --for 60",
        "Waits for the next change, a minute at most."
      ),
      .init("fief watch petstore-data/pets Dog --json | jq .key", "For another program."),
    ]
  )
  static let answersInOneDocument = false

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let most = try context.invocation.integer("count", in: 1...Int.max) ?? .max
    let seconds = try context.invocation.integer("for", in: 0...Int.max)
    let start = ContinuousClock.now
    let store = try context.open()
    let session = WatchSession(context, store, try parts(of: store, context))
    // The limit is more than a century.
    try session.run(most: most, until: seconds.map { start + .seconds(min($0, 4_000_000_000)) })
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
