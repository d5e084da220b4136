import Fief
import FiefConsole
import Foundation

/// Lists objects of a type.
enum ListVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "list",
    "Lists objects of a type in the order of their keys",
    discussion: [
      "A table fits the width of the terminal: long values are cut, and columns without space are named "
        + "below it. --json prints an object per line with all its values, --csv a table for other programs; "
        + "both are complete, in the forms that 'fief import' reads.",
      "Changes nothing.",
    ],
    positionals: [ToolDeclaration.store, ToolDeclaration.type],
    options: [
      OptionDeclaration(
        "limit",
        short: "n",
        value: "N",
        "The maximum number of objects; 20 by default, 0 for all."
      ),
      OptionDeclaration("after", value: "KEY", "Begins after this key, even if it does not exist."),
      OptionDeclaration(
        "columns",
        short: "c",
        value: "NAMES",
        completion: .asked(NameCompletion.columns),
        "Properties to show, separated by commas."
      ),
      OptionDeclaration("csv", "Prints CSV."),
    ],
    examples: [
      .init("fief list petstore-data/pets Dog -c name,breed -n 5", "Two properties of five objects."),
      .init("fief list petstore-data/pets Dog --json -n 0 | jq .name", "For another program."),
    ]
  )
  static func answersInOneDocument(_ command: CommandDeclaration) -> Bool { false }

  static func run(_ context: ToolContext) throws -> ExitStatus {
    try context.refuseSeveral(of: ["csv", "json"])
    let store = try context.open()
    let type = try context.type(named: context.invocation.word(1) ?? "", in: store)
    let limit = try context.invocation.integer("limit", in: 0...Int.max) ?? 20
    let columns = try columns(of: type, context)
    try store.read { snapshot in
      let total = try snapshot.count(of: type.name)
      let after = try context.invocation["after"].map { try snapshot.key(of: type, typed: $0) }
      let most = limit == 0 ? nil : limit
      if context.invocation.has("csv") || context.isJSON {
        var sink = LineSink(context.streams.writeOutput)
        let lines = ObjectLines(isCSV: context.invocation.has("csv"), columns: columns)
        if let heading = lines.heading { try sink.append(heading) }
        let wanted = context.invocation.has("columns") ? columns : nil
        try snapshot.forEach(ofType: type.name, after: after, limit: most) { object in
          try sink.append { try lines.append(object, typeName: nil, columns: wanted, to: &$0) }
        }
        try sink.flush()
      } else {
        try write(snapshot, type, columns, after, most, total, context.output)
      }
    }
    return .done
  }

  /// Returns the names of the columns: the requested ones, or all columns with values.
  static func columns(of type: DynamicType, _ context: ToolContext, command: String = "list") throws
    -> [String]
  {
    let all = ObjectLines.columns(of: type)
    guard let names = context.invocation["columns"] else { return all }
    let wanted = names.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    for name in wanted where !all.contains(name) {
      let nearest = NearestName.find(name, in: all).map { "Did you mean '\($0)'?" }
      throw UsageError(
        "\(Format.printable(type.name)) has no property '\(Format.printable(name))'.",
        suggestion: nearest,
        command: command
      )
    }
    return wanted
  }

  private static func write(
    _ snapshot: DynamicSnapshot,
    _ type: DynamicType,
    _ columns: [String],
    _ after: ObjectKey?,
    _ limit: Int?,
    _ total: Int,
    _ console: Console
  ) throws {
    var rows: [[String]] = []
    var last: ObjectKey?
    var shown = 0
    let typeName = type.name
    let keys = Set(columns.indices.filter { columns[$0] == "$key" || type.primaryKey.contains(columns[$0]) })
    func flush() {
      let table = FittedTable(headings: columns, keys: keys, rows: rows, width: console.terminal.width)
      for line in table.lines() { console.line(line) }
      rows = []
    }
    try snapshot.forEach(ofType: typeName, after: after, limit: limit) { object in
      rows.append(
        try columns.map { Format.cut(try ValueText.text(of: $0, in: object), to: console.terminal.width) }
      )
      last = object.key
      shown += 1
      // The widths of the columns are computed per page of rows, so that memory stays bounded.
      if rows.count == 1000 { flush() }
    }
    if !rows.isEmpty || shown == 0 { flush() }
    console.line()
    var footer = "\(Format.count(shown)) of \(Format.count(total)) objects"
    if let last, let limit, shown == limit, shown < total {
      footer += "; --after \(ShellText.quoted(try snapshot.text(of: last, ofType: typeName))) continues"
    }
    console.line(Format.printable(footer))
  }
}
