/// A parsed command line: the command, its options and its words.
package struct Invocation: Sendable {
  /// The command.
  package let command: CommandDeclaration
  private var given: [String: [String]] = [:]
  /// The words after the command that are not options.
  package internal(set) var words: [String] = []

  init(_ command: CommandDeclaration) { self.command = command }

  mutating func add(_ option: OptionDeclaration, _ value: String) {
    if option.isRepeatable {
      given[option.name, default: []].append(value)
    } else {
      given[option.name] = [value]
    }
  }

  /// Whether a flag or an option with a value was given.
  package func has(_ option: String) -> Bool { given[option] != nil }

  /// The value of an option.
  package subscript(option: String) -> String? { given[option]?.last }

  /// Returns all values of a repeatable option, in order.
  package func values(of option: String) -> [String] { given[option] ?? [] }

  /// Returns the word at an index after the command.
  package func word(_ index: Int) -> String? { words.indices.contains(index) ? words[index] : nil }

  /// Returns the value of an option as an integer in a range.
  ///
  /// - Throws: ``UsageError`` if the value is not such an integer.
  package func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    if let number = Int(text), range.contains(number) { return number }
    let limit =
      range.upperBound == .max
      ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    throw UsageError(
      "--\(option) takes a whole number \(limit), not '\(Format.printable(text))'.",
      command: command.name
    )
  }
}

/// The action that a command line requests.
package enum Request: Sendable {
  /// Run a command.
  case run(Invocation)
  /// Show the help of a command or of the tool. `isRequested` is `false` if the command line contains no
  /// command; the help is then written to standard error, and the status is the status of an invalid command
  /// line.
  case help(CommandDeclaration?, isRequested: Bool)
  /// Show the version.
  case version
  /// Write a completion script.
  case completion(Shell)
}

/// The shells with completion scripts.
package enum Shell: String, Sendable, CaseIterable {
  case bash
  case zsh
}
