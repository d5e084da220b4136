import FiefConsole

/// The report of a command, about each store and in total.
struct CommandReport {
  /// The columns of the table between the store's name and the outcome. Without headings there is no table.
  var headings: [String] = []
  /// The heading of the outcome's column.
  var outcomeHeading = "result"
  var stores: [StoreReport] = []
  /// A line at the beginning of the report.
  var introduction: String?
  /// Sentences at the end of the report.
  var closing: [String] = []
  /// Members of the document in addition to the stores.
  var members: [JSONValue.Member] = []
  /// The outcome, if it is not derived from the stores.
  var overall: MigrationRunner.Outcome?

  var outcome: MigrationRunner.Outcome { overall ?? .worst(of: stores.map(\.outcome)) }

  func document(
    _ command: String,
    _ outcome: MigrationRunner.Outcome,
    exitStatus: Int32
  ) -> JSONValue {
    var all: [JSONValue.Member] = [
      .init("command", .string(command)), .init("outcome", .string(outcome.name)),
      .init("exitStatus", .integer(Int64(exitStatus))),
    ]
    all += members
    all.append(JSONValue.Member("stores", .array(stores.map { $0.document() })))
    return .object(all)
  }

  /// Writes the report: the lines of each store, the table, advice about failures and the closing sentences.
  func write(to io: CommandIO, isFinal: Bool) {
    let console = io.output
    if let introduction { console.line(introduction) }
    for store in stores where !store.lines.isEmpty {
      console.line(console.styled(store.store, .bold))
      for line in store.lines { write(line, to: console) }
    }
    if !headings.isEmpty { writeTable(to: console) }
    for store in stores {
      guard let advice = store.advice else { continue }
      io.error.line()
      advice.write(to: io.error, store: store.store)
    }
    if !closing.isEmpty { console.line() }
    for sentence in closing { console.say(sentence, indent: 0) }
  }

  private func write(_ line: String, to console: Console) {
    let indent = line.prefix { $0 == " " }.count
    // The lines may contain text from stores.
    console.say(Format.printable(String(line.dropFirst(indent))), indent: indent + 2)
  }

  /// Writes a table, or one store after another if the terminal is too narrow for a table.
  private func writeTable(to console: Console) {
    let table = table()
    let width = table.lines().map { Format.width($0) }.max() ?? 0
    guard console.terminal.isInteractive, width > console.terminal.width else {
      console.table(table, indent: 0)
      return
    }
    for store in stores {
      let title = Format.printable("\(store.store): \(store.words)")
      console.line(store.outcome.style.map { console.styled(title, $0) } ?? title)
      let cells = headings.compactMap { heading -> String? in
        let name = Self.name(of: heading)
        guard let cell = store.cells[name], !cell.isEmpty, cell != "-" else { return nil }
        return Format.printable("\(name): \(cell)")
      }
      if !cells.isEmpty { console.say(cells.joined(separator: ", ")) }
    }
  }

  /// Returns a heading without the mark for a column of numbers.
  private static func name(of heading: String) -> String {
    heading.hasPrefix(">") ? String(heading.dropFirst()) : heading
  }

  private func table() -> Table {
    var table = Table(headings: ["store"] + headings + [outcomeHeading])
    for store in stores {
      let cells = headings.map { store.cells[Self.name(of: $0)] ?? "" }
      table.add([store.store] + cells + [store.words], style: store.outcome.style)
    }
    return table
  }
}
