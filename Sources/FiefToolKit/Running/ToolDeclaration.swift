package import FiefConsole

/// The declaration of the tool's command line.
package enum ToolDeclaration {
  static let verbs: [any ToolVerb.Type] = [
    InfoVerb.self, SchemaVerb.self, CheckVerb.self, GetVerb.self, ListVerb.self, QueryVerb.self,
    WatchVerb.self, ExportVerb.self, ImportVerb.self, PutVerb.self, DeleteVerb.self, StatsVerb.self,
    CompactVerb.self,
    BackupVerb.self, ConvertRealmModelsVerb.self,
  ]

  static func verb(named name: String) -> (any ToolVerb.Type)? {
    verbs.first { $0.declaration.name == name }
  }

  /// The tool.
  package static let tool = CommandLineTool(
    name: "fief",
    summary: "looks into stores of Fief and changes them, without the program that they belong to",
    discussion: [
      "STORE is a store's directory, or the file data.mdb in it. Its types and properties are read from the "
        + "store itself. The program that the store belongs to may be running.",
      "The key of an encrypted store is in a file (--key-file), in an environment variable (--key-env), or is a passphrase that is "
        + "asked for at the terminal.",
      "Only 'import' and, with --write, 'put', 'delete' and 'compact' change a store. Everything else opens "
        + "it for reading only.",
    ],
    commands: verbs.map { $0.declaration },
    options: [
      OptionDeclaration("json", "Answers in JSON, errors too."),
      OptionDeclaration(
        "no-verify",
        "Opens the store without looking at every page first. That is faster for a large store, but a "
          + "damaged one may then end the tool with a crash."
      ),
      OptionDeclaration(
        "allow-group-writable",
        "Opens a store that its group may write to, or that belongs to another user and a group of yours: trust that group."
      ),
    ] + StoreKeyOptions.declarations,
    examples: [
      .init("fief info petstore-data/pets", "What is in a store."),
      .init("fief list petstore-data/pets Dog --columns name,age", "Two properties of the first objects."),
      .init(
        "fief query petstore-data/pets Dog \"age > 3 AND name BEGINSWITH 'R'\"",
        "What fulfils a condition."
      ),
      .init("fief watch petstore-data/pets Dog", "What other programs change, as they do it."),
      .init("fief export petstore-data/pets Dog > dogs.jsonl", "All objects of a type as JSON lines."),
      .init("fief check petstore-data/pets", "Whether a store is whole."),
    ],
    exitStatuses: [
      (.done, "Done."),
      (.failed, "Something failed, or lines of an import were wrong."),
      (.nothingToDo, "There was nothing to do."),
      (.refused, "Refused: --write is missing, another process has the store open, no permission."),
      (.damaged, "The store is damaged, or the file is no store."),
      (.notFound, "There is no such store, type or object."),
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
    "A key is the value of the primary key: a number, a text, a UUID, 24 digits of an object id; for a type "
    + "without a primary key the number that the store has given. A compound key is its parts with commas "
    + "between them, or a JSON array of them: '[\"nl\",2024]'."
}
