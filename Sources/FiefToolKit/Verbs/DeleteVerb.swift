import Fief
import FiefConsole

/// Deletes objects from the store.
enum DeleteVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "delete",
    "Deletes objects by their keys, either all or none",
    discussion: [
      ToolDeclaration.keyText,
      "Links to a deleted object become nil, and lists lose it, unless the rules of a relationship differ: see "
        + "'fief schema'. If a key has no object, nothing is "
        + "deleted and the status is 6. Nothing is changed without --write.",
    ],
    positionals: [
      ToolDeclaration.store, ToolDeclaration.type,
      PositionalDeclaration("KEY", "the keys of the objects", count: .atLeastOne),
    ],
    options: [
      ToolDeclaration.write,
      OptionDeclaration("ignore-missing", "Deletes the objects that exist."),
    ],
    examples: [.init("fief delete petstore-data/pets DogToy 12 13 --write", "Two objects by their numbers.")]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    try context.requireWrite()
    let store = try context.open(forWriting: true)
    let type = try context.type(named: context.invocation.word(1) ?? "", in: store)
    let texts = Array(context.invocation.words.dropFirst(2))
    let deleted = try store.write { transaction in
      var deleted = 0
      for text in texts {
        let key = try transaction.key(of: type, typed: text)
        if try transaction.delete(type.name, forKey: key) {
          deleted += 1
        } else if !context.invocation.has("ignore-missing") {
          throw missing(type.name, text, store.name)
        }
      }
      return deleted
    }
    if context.isJSON {
      context.print(["type": .string(type.name), "deleted": .count(deleted)])
    } else {
      context.output.line("\(Format.count(deleted)) of \(Format.count(texts.count)) objects deleted.")
    }
    return deleted == 0 ? .nothingToDo : .done
  }

  private static func missing(_ type: String, _ key: String, _ store: String) -> ToolFailure {
    ToolFailure(
      .notFound,
      code: FiefError.Code.objectNotFound.rawValue,
      "\(Format.printable(store)) has no \(Format.printable(type)) '\(Format.printable(key))'.",
      next: "Omit the key, or add --ignore-missing."
    )
  }
}
