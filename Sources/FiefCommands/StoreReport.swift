import Fief
import FiefConsole

/// The report of a command about one store.
struct StoreReport {
  let store: String
  var outcome: MigrationRunner.Outcome
  /// The outcome in a few words, for the table.
  var words: String
  /// The cells of the table between the store's name and the outcome, by heading.
  var cells: [String: String] = [:]
  /// Lines below a heading with the store's name. Lines that begin with spaces are indented.
  var lines: [String] = []
  /// The members of the store's object in a document.
  var members: [JSONValue.Member] = []
  /// The advice about a failure.
  var advice: ErrorAdvice?

  init(_ store: String, _ outcome: MigrationRunner.Outcome, _ words: String) {
    self.store = store
    self.outcome = outcome
    self.words = words
  }

  mutating func add(_ name: String, _ value: JSONValue) { members.append(JSONValue.Member(name, value)) }

  /// Adds a report about old backups that could not be removed. The command itself has succeeded.
  mutating func noteUnremoved(_ failures: [FiefError]) {
    if failures.isEmpty { return }
    lines += ["Old backups could not be removed:"]
    lines += failures.flatMap { Self.lines(of: $0.showingValues()) }
    add("unremovedBackups", .array(failures.map { .string("\($0.showingValues())") }))
  }

  /// Returns the indented lines of an error's description.
  static func lines(of error: any Error) -> [String] {
    "\(error)".split(separator: "\n").map { "  \($0.drop { $0 == " " })" }
  }

  func document() -> JSONValue {
    var all = [JSONValue.Member("name", .string(store)), .init("outcome", .string(outcome.name))] + members
    if let advice { all.append(JSONValue.Member("error", advice.document)) }
    return .object(all)
  }
}

extension ErrorAdvice {
  /// The advice as part of a document.
  var document: JSONValue {
    .object([
      .init("code", .string(code)),
      .init("kind", .string(kind.rawValue)),
      .init("message", .string(happened)),
      .init("consequence", .string(consequence)),
      .init("next", .string(next)),
      .init("place", .object(place.map { JSONValue.Member($0.name, .string($0.value)) })),
      .init("details", .array(details.map { .string($0) })),
    ])
  }

  /// Writes the advice as text, wrapped by the console.
  func write(to console: Console, store: String) {
    console.say(console.styled("\(store): ", .bold) + Format.printable(sentences), indent: 0)
    let fields = place.filter { $0.name != "store" }.map { "\($0.name): \(Format.printable($0.value))" }
    if !fields.isEmpty { console.say(fields.joined(separator: ", "), indent: 4) }
    for line in details.prefix(20) { console.say("- " + Format.printable(line), indent: 4) }
    if details.count > 20 { console.say("and \(details.count - 20) more", indent: 4) }
  }
}
