import Fief
import FiefConsole
import Foundation

/// Finds objects of a type by a query text.
enum QueryVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "query",
    "Finds objects of a type with a query such as \"age > 3 AND name BEGINSWITH 'R'\"",
    discussion: [
      "A condition compares properties with values: == != < <= > >=, BETWEEN {1, 5}, IN {1, 2}; for strings CONTAINS, "
        + "BEGINSWITH, ENDSWITH, LIKE 'R*' (with ? and *), all of them optionally ignoring case or diacritics: "
        + "==[c], CONTAINS[cd]. MATCHES 'old dog' uses a full-text index. Conditions are joined by AND, OR, NOT and "
        + "parentheses; a Boolean property is a condition itself.",
      "Values are numbers, 'strings', true, false, nil, date('2026-11-20T10:00:00Z'), uuid('…'), oid('…'), 1.5m for a "
        + "decimal. Numbers support + - * / %, strings LENGTH, LOWERCASE and UPPERCASE. Put a name that "
        + "is a keyword or has special characters in backquotes.",
      "A dot follows links: owner.address.city. Through a list, a set, a map or an inverse it checks whether "
        + "ANY element matches the condition; ALL and NONE require all or no elements. dogs.@count, @sum, @avg, @min and "
        + "@max compute, map['key'] and map.@keys read maps, 'x' IN tags searches for a value, and "
        + "SUBQUERY(dogs, $d, $d.age > 3).@count counts the elements that match a condition.",
      "After the condition: SORT(age DESC, name) DISTINCT(name) OFFSET(20) LIMIT(10).",
      "Each %@ in the text is the next ARG, or $0 the first and $1 the second. An ARG has the type of the property that it "
        + "is compared with; int:5, double:, decimal:, bool:, text:, date:, uuid:, oid:, data: (base 64) and 'quotes' set the type, "
        + "and {1,2,3} is a list. Arguments are never parsed as parts of the text.",
      "The article 'The text form of queries' of the documentation has the whole grammar. Changes nothing.",
    ],
    positionals: [
      ToolDeclaration.store, ToolDeclaration.type,
      PositionalDeclaration("TEXT", "the condition and clauses; '' for all objects"),
      PositionalDeclaration("ARG", "values for each %@ in order, or for $0, $1", count: .any),
    ],
    options: [
      OptionDeclaration(
        "limit",
        short: "n",
        value: "N",
        "The maximum number of objects; by default 20 for a table, all for the other forms. 0 is all."
      ),
      OptionDeclaration(
        "columns",
        short: "c",
        value: "NAMES",
        completion: .asked(NameCompletion.columns),
        "Properties to show, separated by commas."
      ),
      OptionDeclaration(
        "count",
        "Prints only the number of objects; LIMIT(N) in the text limits it."
      ),
      OptionDeclaration("explain", "Prints the query's plan and reads no objects."),
      OptionDeclaration("csv", "Prints CSV."),
    ],
    examples: [
      .init("fief query petstore-data/pets Dog \"age > 3\"", "A comparison."),
      .init(
        "fief query petstore-data/pets Dog \"name ==[c] 'rex' OR breed == nil\"",
        "Ignoring case; nil."
      ),
      .init(
        "fief query petstore-data/pets Dog \"age BETWEEN {2, 5} AND NOT breed IN {'Pug', 'Collie'}\"",
        "Ranges, lists."
      ),
      .init(
        "fief query petstore-data/pets Dog \"name LIKE '?e*' SORT(age DESC, name) LIMIT(3)\"",
        "A pattern, an order."
      ),
      .init(
        "fief query petstore-data/pets Dog 'name == %@ AND age > %@' \"O'Neill\" 3",
        "Arguments need no quotes in the text."
      ),
      .init(
        "fief query petstore-data/pets Dog 'age IN $0' '{1,2,3}' --json | jq .name",
        "A list; for another program."
      ),
      .init("fief query petstore-data/pets Dog 'age % 2 == 1' --count", "Arithmetic; only the number."),
      .init("fief query petstore-data/pets Dog 'toys.@count > 1' -c name,age", "The number of elements."),
      .init("fief query petstore-data/pets Person \"ANY dogs.breed == 'Pug'\"", "Through a list of links."),
      .init(
        "fief query petstore-data/pets Person 'ALL dogs.age > 1 AND dogs.@avg.age < 5'",
        "All elements; an average."
      ),
      .init(
        "fief query petstore-data/pets Person 'SUBQUERY(dogs, $d, $d.age > 3 AND $d.name != name).@count > 0'",
        "Elements that match a condition."
      ),
      .init("fief query petstore-data/pets Dog '' --csv > dogs.csv", "Everything."),
      .init("fief query petstore-data/pets Dog \"name == 'Rex'\" --explain", "The plan of a query."),
    ]
  )
  static func answersInOneDocument(_ command: CommandDeclaration) -> Bool { false }

  static func run(_ context: ToolContext) throws -> ExitStatus {
    try context.refuseSeveral(of: ["csv", "json"])
    for option in ["csv", "columns", "limit"] {
      for other in ["count", "explain"] { try context.refuseSeveral(of: [other, option]) }
    }
    try context.refuseSeveral(of: ["count", "explain"])
    let store = try context.open()
    let type = try context.type(named: context.invocation.word(1) ?? "", in: store)
    let isTable = !context.isJSON && !context.invocation.has("csv")
    let limit = try context.invocation.integer("limit", in: 0...Int.max) ?? (isTable ? 20 : 0)
    let columns = try ListVerb.columns(of: type, context, command: "query")
    try store.read { snapshot in
      let query = try query(type, context, snapshot)
      if context.invocation.has("explain") {
        try explain(query, context)
      } else if context.invocation.has("count") {
        let count = try query.count()
        context.output.line(
          context.isJSON ? JSONValue.object([.init("count", .integer(Int64(count)))]).line() : "\(count)"
        )
      } else if !isTable {
        try writeLines(limit == 0 ? query : try query.limited(to: limit), limit, columns, context)
      } else {
        try QueryTable(type, columns, context.output).write(query, limit: limit)
      }
    }
    return .done
  }

  /// Returns the query given by the third word, with the words after it as arguments.
  static func query(_ type: DynamicType, _ context: ToolContext, _ snapshot: DynamicSnapshot) throws
    -> DynamicQuery
  {
    do {
      return try snapshot.query(
        type.name,
        context.invocation.word(2) ?? "",
        arguments: try context.invocation.words.dropFirst(3).map { try QueryArgument(typed: $0) }
      )
    } catch let error as FiefError {
      throw ToolFailure(ofQuery: error) ?? error
    }
  }

  private static func writeLines(
    _ query: DynamicQuery,
    _ limit: Int,
    _ columns: [String],
    _ context: ToolContext
  ) throws {
    var sink = LineSink(context.streams.writeOutput)
    let lines = ObjectLines(isCSV: context.invocation.has("csv"), columns: columns)
    if let heading = lines.heading { try sink.append(heading) }
    let wanted = context.invocation.has("columns") ? columns : nil
    // A text with `LAST` has its own limit, and the first of its objects are shown.
    var left = limit == 0 ? Int.max : limit
    try query.forEach { object in
      guard left > 0 else { return }
      left -= 1
      try sink.append { try lines.append(object, typeName: nil, columns: wanted, to: &$0) }
    }
    try sink.flush()
  }

  private static func explain(_ query: DynamicQuery, _ context: ToolContext) throws {
    let plan = try query.explain()
    guard context.isJSON else {
      if !query.text.isEmpty { context.output.line(Format.printable(query.text)) }
      for line in plan.description.split(separator: "\n") {
        context.output.line(Format.printable(String(line)))
      }
      return
    }
    let order =
      switch plan.order {
      case .found: "found"
      case .sorted: "sorted"
      case .sortedKeeping: "sortedKeeping"
      }
    context.print([
      "query": .string(query.text),
      "type": .string(plan.type),
      "access": .string(plan.access.description),
      "order": .string(order),
      "isBackward": .bool(plan.isBackward),
      "estimatedRows": .integer(Int64(plan.estimatedRows)),
      "totalRows": .integer(Int64(plan.totalRows)),
      "condition": .text(plan.condition),
    ])
  }
}
