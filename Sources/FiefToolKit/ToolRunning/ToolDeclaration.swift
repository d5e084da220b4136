package import FiefConsole

/// The declaration of the tool's command line.
package enum ToolDeclaration {
  static let verbs: [any ToolVerb.Type] = [
    InfoVerb.self, SchemaVerb.self, CheckVerb.self, GetVerb.self, ListVerb.self, QueryVerb.self,
    WatchVerb.self, ExportVerb.self, ImportVerb.self, PutVerb.self, DeleteVerb.self, TreeVerb.self,
    StatsVerb.self,
    CompactVerb.self,
    BackupVerb.self, ConvertRealmModelsVerb.self,
  ]

  static func verb(of command: CommandDeclaration) -> (any ToolVerb.Type)? {
    verbs.first { $0.declaration.leaves.contains { $0.name == command.name } }
  }

  /// The tool.
  package static let tool = CommandLineTool(
    name: "fief",
    summary: "reads and changes stores of Fief without their programs",
    discussion: [
      "STORE is a store's directory, or the file data.mdb in it. Its types and properties are read from the "
        + "store itself. The program that the store belongs to may be running.",
      "The key of an encrypted store comes from a file (--key-file), an environment variable (--key-env), or a passphrase that the "
        + "tool asks for at the terminal.",
      "Only 'import' and, with --write, 'put', 'delete', 'tree' and 'compact' change a store. Everything else opens "
        + "it for reading only.",
    ],
    commands: verbs.map { $0.declaration },
    options: [
      OptionDeclaration("json", "Writes the output and errors as JSON."),
      OptionDeclaration(
        "no-verify",
        "Opens the store without checking every page first. This is faster for a large store, but a "
          + "damaged store may then crash the tool."
      ),
      OptionDeclaration(
        "allow-group-writable",
        "Opens a store that is writable by its group, or belongs to another user and a group of yours: trust that group."
      ),
    ] + StoreKeyOptions.declarations,
    examples: [
      .init("fief info petstore-data/pets", "The contents of a store."),
      .init("fief list petstore-data/pets Dog --columns name,age", "Two properties of the first objects."),
      .init(
        "fief query petstore-data/pets Dog \"age > 3 AND name BEGINSWITH 'R'\"",
        "The objects that match a condition."
      ),
      .init("fief watch petstore-data/pets Dog", "Changes by other programs as they happen."),
      .init("fief export petstore-data/pets Dog > dogs.jsonl", "All objects of a type as JSON lines."),
      .init("fief check petstore-data/pets", "Whether a store is intact."),
    ],
    exitStatuses: [
      (.done, "Done."),
      (.failed, "Something failed, or lines of an import were wrong."),
      (.nothingToDo, "Nothing to do."),
      (.refused, "Refused: --write is missing, another process has the store open, no permission."),
      (.damaged, "The store is damaged, or the file is not a store."),
      (.notFound, "The store, type or object does not exist."),
      (.usage, "The command line is wrong."),
    ]
  )

  static let store = PositionalDeclaration(
    "STORE",
    "the store's directory, or its data.mdb",
    completion: .files
  )
  static let type = PositionalDeclaration(
    "TYPE",
    "the name of a type, as 'fief schema' shows it",
    completion: .asked(NameCompletion.types)
  )
  static let write = OptionDeclaration("write", "Allows changing the store.")
  static let keyText =
    "A key is the primary key's value: a number, a string, a UUID, 24 digits of an object id; for a type "
    + "without a primary key, the number that the store assigned. A compound key is its parts separated by "
    + "commas, or a JSON array of the parts: '[\"nl\",2024]'."
}
