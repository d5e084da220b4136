import Fief
import FiefConsole

/// Shows the types of a store.
enum SchemaVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "schema",
    "Shows the types of a store with their properties, as text, as JSON or as a diagram",
    discussion: [
      "The diagrams are source text for Graphviz ('dot') and Mermaid, which many forges render in Markdown. "
        + "Embedded objects are drawn as parts of their owners; each link has the number of objects at its ends.",
      "Changes nothing.",
    ],
    positionals: [ToolDeclaration.store],
    options: [
      OptionDeclaration(
        "format",
        value: "FORMAT",
        completion: .words(["text", "json", "graphviz", "mermaid"]),
        "text, json, graphviz or mermaid; text by default, and json with --json."
      )
    ],
    examples: [
      .init("fief schema petstore-data/pets", "The types as text."),
      .init("fief schema petstore-data/pets --format graphviz | dot -Tsvg > pets.svg", "A picture."),
    ]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    if context.isJSON, let format = context.invocation["format"], format != "json" {
      throw UsageError("--json and --format \(format) exclude each other.", command: "schema")
    }
    let store = try context.open()
    switch context.invocation["format"] ?? (context.isJSON ? "json" : "text") {
    case "json": context.print(document(store))
    case "graphviz": context.output.write(SchemaDiagram(store.name, store.types).graphviz())
    case "mermaid": context.output.write(SchemaDiagram(store.name, store.types).mermaid())
    default: write(store, context.output)
    }
    return .done
  }

  private static func write(_ store: DynamicStore, _ console: Console) {
    console.line("\(Format.printable(store.name)), schema version \(store.schemaVersion)")
    for type in store.types {
      console.line()
      let kind = type.isEmbedded ? " (embedded)" : type.primaryKey.isEmpty ? " (numbered by the store)" : ""
      console.line(console.styled(Format.printable(type.name), .bold) + kind)
      if type.columns.isEmpty { continue }
      let names = (type.columns.map(\.name.count).max() ?? 0) + 2
      let kinds = (type.columns.map { ValueText.type(of: $0).count }.max() ?? 0) + 2
      for column in type.columns {
        let kind = ValueText.type(of: column)
        var line = "  " + column.name + String(repeating: " ", count: names - column.name.count) + kind
        let notes = notes(of: column, type)
        if !notes.isEmpty { line += String(repeating: " ", count: kinds - kind.count) + notes }
        console.line(Format.printable(line))
      }
      // Plain indexes are shown with their properties.
      for index in type.indexes
      where index.kind != .ordered || index.isUnique || index.isCaseInsensitive
        || index.properties.count > 1
      {
        console.line(Format.printable("  \(index)"))
      }
    }
  }

  private static func notes(of column: PropertySchema, _ type: DynamicType) -> String {
    var notes: [String] = []
    if column.isPrimaryKey {
      notes.append(type.primaryKey.count > 1 ? "part of the primary key" : "primary key")
    }
    if column.isIndexed { notes.append("indexed") }
    if column.isSecret { notes.append("secret") }
    if let origin = column.originProperty {
      notes.append("inverse of \(column.type.target ?? "?").\(origin)")
    }
    for rule in type.relationships where rule.property == column.name { notes.append(rule.rules) }
    for derived in type.derivedProperties where derived.property == column.name {
      notes.append(derived.derivation)
    }
    if let value = column.defaultValue { notes.append("\(ValueText.text(of: value)) in older objects") }
    return notes.joined(separator: ", ")
  }

  private static func document(_ store: DynamicStore) -> JSONValue {
    let types = store.types.map { type -> JSONValue in
      let columns = type.columns.map { column -> JSONValue in
        [
          "name": .string(column.name),
          "type": .string(ValueText.type(of: column)),
          "kind": .string("\(column.type.kind)"),
          "container": .string("\(column.type.container)"),
          "isOptional": .bool(column.type.isOptional),
          "target": .text(column.type.target),
          "inverseOf": .text(column.originProperty),
          "isPrimaryKey": .bool(column.isPrimaryKey),
          "isIndexed": .bool(column.isIndexed),
          "isSecret": .bool(column.isSecret),
        ]
      }
      return [
        "name": .string(type.name),
        "isEmbedded": .bool(type.isEmbedded),
        "primaryKey": .array(type.primaryKey.map { .string($0) }),
        "properties": .array(columns),
        "relationships": .array(
          type.relationships.map { rule -> JSONValue in
            [
              "property": .string(rule.property),
              "deleteRule": .string(rule.deleteRule.description),
              "isRequired": .bool(rule.isRequired),
              "minimum": .integer(Int64(rule.minimum)),
              "maximum": rule.maximum.map { .integer(Int64($0)) } ?? .null,
            ]
          }
        ),
        "derivedProperties": .array(
          type.derivedProperties.map { derived -> JSONValue in
            ["property": .string(derived.property), "derivation": .string(derived.derivation)]
          }
        ),
        "indexes": .array(
          type.indexes.map { index -> JSONValue in
            [
              "kind": .string(index.kind.rawValue),
              "isUnique": .bool(index.isUnique),
              "isCaseInsensitive": .bool(index.isCaseInsensitive),
              "properties": .array(index.properties.map { .string($0) }),
            ]
          }
        ),
      ]
    }
    return [
      "store": .string(store.name), "schemaVersion": .unsigned(store.schemaVersion), "types": .array(types),
    ]
  }
}
