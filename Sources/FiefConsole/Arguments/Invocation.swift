/// A command line that was understood: the command, its options and its words.
package struct Invocation: Sendable {
  /// The command.
  package let command: CommandDeclaration
  private var given: [String: [String]] = [:]
  /// The words after the command that are no options.
  package internal(set) var words: [String] = []

  init(_ command: CommandDeclaration) { self.command = command }

  mutating func add(_ option: OptionDeclaration, _ value: String) {
    if option.isRepeatable {
      given[option.name, default: []].append(value)
    } else {
      given[option.name] = [value]
    }
  }

  /// Whether a flag, or an option with a value, was given.
  package func has(_ option: String) -> Bool { given[option] != nil }

  /// The value of an option.
  package subscript(option: String) -> String? { given[option]?.last }

  /// Every value of a repeatable option, in order.
  package func values(of option: String) -> [String] { given[option] ?? [] }

  /// The word at a place after the command.
  package func word(_ index: Int) -> String? { words.indices.contains(index) ? words[index] : nil }

  /// The value of an option as a whole number in a range.
  ///
  /// - Throws: ``UsageError`` for anything else.
  package func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    if let number = Int(text), range.contains(number) { return number }
    let limit =
      range.upperBound == .max
      ? "from \(range.lowerBound) up" : "from \(range.lowerBound) to \(range.upperBound)"
    throw UsageError(
      "--\(option) takes a whole number \(limit), not '\(Format.printable(text))'.",
      command: command.name
    )
  }
}

/// The request of a command line.
package enum Request: Sendable {
  /// To run a command.
  case run(Invocation)
  /// The help of a command, or of the tool. It is not requested where there was no command at all: it
  /// then goes to standard error, and the status is that of a wrong command line.
  case help(CommandDeclaration?, isRequested: Bool)
  /// The version.
  case version
  /// A completion script.
  case completion(Shell)
}

/// The shells that there are completion scripts for.
package enum Shell: String, Sendable, CaseIterable {
  case bash
  case zsh
}
