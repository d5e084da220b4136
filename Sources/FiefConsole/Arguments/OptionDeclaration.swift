/// An option: a flag (`--yes`) or an option with a value (`--directory DIR`).
package struct OptionDeclaration: Sendable {
  /// The long name, without the dashes.
  package var name: String
  /// The short name, without the dash.
  package var short: Character?
  /// The name of the value in the help, in capital letters, or `nil` for a flag.
  package var value: String?
  /// Whether the option may be given several times. Otherwise the last value counts.
  package var isRepeatable: Bool
  /// Whether the command needs the option.
  package var isRequired: Bool
  /// The completion that a shell offers for the value.
  package var completion: ValueCompletion
  /// The effect of the option, as a sentence.
  package var summary: String

  /// Creates the declaration of a flag.
  package init(_ name: String, short: Character? = nil, isRequired: Bool = false, _ summary: String) {
    self.name = name
    self.short = short
    self.isRequired = isRequired
    self.summary = summary
    value = nil
    isRepeatable = false
    completion = .none
  }

  /// Creates the declaration of an option with a value.
  package init(
    _ name: String,
    short: Character? = nil,
    value: String,
    isRepeatable: Bool = false,
    isRequired: Bool = false,
    completion: ValueCompletion = .none,
    _ summary: String
  ) {
    self.name = name
    self.short = short
    self.summary = summary
    self.value = value
    self.isRepeatable = isRepeatable
    self.isRequired = isRequired
    self.completion = completion
  }

  /// All forms of the name as typed: `--yes`, `-y`.
  package var forms: [String] {
    ["--\(name)"] + (short.map { ["-\($0)"] } ?? [])
  }

  /// The name and value, as shown in the help.
  var heading: String {
    let shortForm = short.map { "-\($0), " } ?? "    "
    return shortForm + "--\(name)" + (value.map { " \($0)" } ?? "")
  }
}
