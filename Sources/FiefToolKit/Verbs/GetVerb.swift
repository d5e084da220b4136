import Fief
import FiefConsole

/// Shows one object.
enum GetVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "get",
    "Shows one object with all its values and the objects that link to it",
    discussion: [ToolDeclaration.keyText, "Changes nothing. The status is 6 if the object does not exist."],
    positionals: [
      ToolDeclaration.store, ToolDeclaration.type,
      PositionalDeclaration("KEY", "the object's key"),
    ],
    examples: [
      .init("fief get petstore-data/pets DogClub 'Barks & Co'", "An object with a string as its key."),
      .init("fief get petstore-data/payments Order 1042 --json", "An object as JSON."),
    ]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let store = try context.open()
    let type = try context.type(named: context.invocation.word(1) ?? "", in: store)
    let text = context.invocation.word(2) ?? ""
    return try store.read { snapshot in
      let key = try snapshot.key(of: type, typed: text)
      guard let object = try snapshot.object(ofType: type.name, forKey: key) else {
        throw notFound(type.name, text, store.name)
      }
      if context.isJSON {
        var json = JSONText()
        try json.append(object)
        context.output.line(json.text)
      } else {
        try write(object, type, snapshot, context.output)
      }
      return .done
    }
  }

  static func notFound(_ type: String, _ key: String, _ store: String) -> ToolFailure {
    ToolFailure(
      .notFound,
      code: FiefError.Code.objectNotFound.rawValue,
      "\(Format.printable(store)) has no \(Format.printable(type)) '\(Format.printable(key))'.",
      next: "'fief list' shows the existing keys.",
      isChanged: nil
    )
  }

  private static func write(
    _ object: DynamicObject,
    _ type: DynamicType,
    _ snapshot: DynamicSnapshot,
    _ console: Console
  ) throws {
    let key = try object.key.map { try snapshot.text(of: $0, ofType: type.name) } ?? ""
    console.line(console.styled(Format.printable("\(type.name) \(key)"), .bold))
    let names = object.propertyNames
    let width = (names.map(\.count).max() ?? 0) + 2
    for name in names {
      let padding = String(repeating: " ", count: width - name.count)
      console.line("  \(Format.printable(name))\(padding)\(try ValueText.text(of: name, in: object))")
    }
    guard let key = object.key else { return }
    for links in try snapshot.objects(linkingTo: type.name, forKey: key) {
      let shown = try links.keys.prefix(10).map { try snapshot.text(of: $0, ofType: links.typeName) }
      let more = links.keys.count > 10 ? ", and \(Format.count(links.keys.count - 10)) more" : ""
      console.line(
        Format.printable(
          "linked by \(links.typeName).\(links.property): \(shown.joined(separator: ", "))\(more)"
        )
      )
    }
  }
}
