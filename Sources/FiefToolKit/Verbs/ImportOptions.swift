import FiefConsole

/// The options that determine how an import reads and writes its lines. An import that is resumed needs the
/// same options.
struct ImportOptions: Codable, Equatable {
  private static let names = ["format", "on-conflict", "dates"]

  /// The values by option name.
  private var given: [String: String] = [:]

  /// Creates empty options, as for a journal without options.
  init() {}

  init(_ invocation: Invocation) {
    for name in Self.names { given[name] = invocation[name] }
  }

  /// The options as on a command line, each with a space before it.
  var words: String {
    Self.names.compactMap { name in given[name].map { " --\(name) \($0)" } }.joined()
  }

  /// The options as part of a sentence, after "with".
  var phrase: String { given.isEmpty ? " no --format, --on-conflict or --dates" : words }
}
