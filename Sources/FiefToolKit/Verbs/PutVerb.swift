import Fief
import FiefConsole
import Foundation

/// Writes one object to the store.
enum PutVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "put",
    "Puts one JSON object into a store",
    discussion: [
      "The object has the form of a line of 'fief export'. Missing properties get the value of an unset "
        + "property: zero, an empty string, nil; with --on-conflict merge a stored object keeps them.",
      "Values of the wrong type, unknown properties and links to objects that do not exist are refused. "
        + "Nothing is changed without --write.",
      "A store does not know the cases of enumerations: it accepts any raw value of the stored type. The "
        + "application's check() lists the values without a case.",
    ],
    positionals: [
      ToolDeclaration.store, ToolDeclaration.type,
      PositionalDeclaration("JSON", "the object, or - to read it from standard input"),
    ],
    options: [
      ToolDeclaration.write,
      OptionDeclaration(
        "on-conflict",
        value: "WHAT",
        completion: .words(DynamicConflict.allCases.map(\.rawValue)),
        "How to treat an existing key: error (the default), replace, skip or merge."
      ),
    ],
    examples: [
      .init("fief put petstore-data/pets DogClub '{\"name\":\"Barks\"}' --write", "A new object."),
      .init(
        "fief put petstore-data/pets Dog '{\"id\":\"…\",\"age\":4}' --on-conflict merge --write",
        "One value of an object."
      ),
    ]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    try context.requireWrite()
    let store = try context.open(forWriting: true)
    let type = try context.type(named: context.invocation.word(1) ?? "", in: store)
    let json = try object(context)
    let conflict = context.invocation["on-conflict"].flatMap { DynamicConflict(rawValue: $0) } ?? .error
    let (put, key) = try store.write { transaction in
      let put = try transaction.put(type.name, json: json, onConflict: conflict)
      return (put, try transaction.text(of: put.key, ofType: type.name))
    }
    if context.isJSON {
      context.print([
        "type": .string(type.name), "key": .string(key), "outcome": .string(put.outcome.rawValue),
      ])
    } else {
      context.output.line(Format.printable("\(type.name) \(key) was \(put.outcome.rawValue)."))
    }
    return put.outcome == .skipped ? .nothingToDo : .done
  }

  private static func object(_ context: ToolContext) throws -> String {
    guard context.invocation.word(2) == "-" else { return context.invocation.word(2) ?? "" }
    var data = Data()
    while true {
      let more = try context.streams.readInput()
      if more.isEmpty { break }
      data.append(more)
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw ToolFailure(
        .failed,
        code: FiefError.Code.malformedJSON.rawValue,
        "Standard input is not UTF-8.",
        next: "JSON is UTF-8."
      )
    }
    return text
  }
}
