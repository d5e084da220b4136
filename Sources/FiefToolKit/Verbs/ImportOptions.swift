import FiefConsole

/// The options that decide how an import reads and puts its lines. An import that goes on needs the same ones.
struct ImportOptions: Codable, Equatable {
  private static let names = ["format", "on-conflict", "dates"]

  /// The values by the names of the options.
  private var given: [String: String] = [:]

  /// No options, as in a journal without any.
  init() {}

  init(_ invocation: Invocation) {
    for name in Self.names { given[name] = invocation[name] }
  }

  /// The options on a command line, with a space before each.
  var words: String {
    Self.names.compactMap { name in given[name].map { " --\(name) \($0)" } }.joined()
  }

  /// The options in a sentence, behind "with".
  var phrase: String { given.isEmpty ? " none of --format, --on-conflict and --dates" : words }
}
