/// Parses a command line according to a tool's declaration.
///
/// Options may appear anywhere after the tool's name, also before the command; `--` ends the options. An
/// option's value is the next word, the text after `=`, or the text directly after a short name. Short flags
/// may be grouped.
package struct ArgumentParser {
  private let tool: CommandLineTool
  private var command: CommandDeclaration?
  /// The number of words that name the command.
  private var nameLength = 0
  private var isHelpWanted = false
  private var isVersionWanted = false
  private var found: [(option: OptionDeclaration, value: String)] = []
  private var words: [String] = []

  /// Parses the arguments after the program's name.
  ///
  /// - Throws: ``UsageError`` that describes the mistake and, for an unknown name, suggests the most similar
  ///   known one.
  package static func parse(
    _ arguments: [String],
    of tool: CommandLineTool
  ) throws(UsageError) -> Request {
    var parser = ArgumentParser(tool)
    // The command determines the valid options, so it is found first.
    try parser.findCommand(arguments)
    try parser.read(arguments)
    return try parser.request()
  }

  private init(_ tool: CommandLineTool) { self.tool = tool }

  private var options: [OptionDeclaration] { tool.options + (command?.options ?? []) }

  private func error(_ message: String, suggestion: String? = nil) -> UsageError {
    UsageError(message, suggestion: suggestion, command: command?.name)
  }

  /// Whether a word before the command is an option whose value is the next word.
  private func takesNext(_ word: String) -> Bool {
    guard !word.contains("=") else { return false }
    if word.hasPrefix("--") { return options.contains { $0.value != nil && "--\($0.name)" == word } }
    // Only the last one of a group of short names may take the next word. An earlier name with a value takes
    // the rest of its word.
    let rest = word.dropFirst().drop { letter in
      options.contains { $0.value == nil && $0.short == letter }
    }
    return rest.count == 1 && options.contains { $0.value != nil && $0.short == rest.first }
  }

  private mutating func findCommand(_ arguments: [String]) throws(UsageError) {
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      if word == "--" { return }
      if word.hasPrefix("-"), word.count > 1 {
        index += takesNext(word) ? 2 : 1
        continue
      }
      if word == "help", command == nil { return }
      try enter(word)
      nameLength += 1
      if command?.actions.isEmpty != false { return }
      index += 1
    }
  }

  /// Finds the command with a name, or an action of the command that was found before.
  private mutating func enter(_ word: String) throws(UsageError) {
    let known = command?.actions ?? tool.commands
    if let found = known.first(where: { $0.word == word }) {
      command = found
      return
    }
    throw UsageError(
      "'\(Format.printable(word))' is not \(command == nil ? "a command" : "an action") of \(place).",
      unknown: word,
      known: known.map(\.word) + (command == nil ? ["help"] : []),
      command: command?.name
    )
  }

  /// The words of the command line that were understood, such as `fief tree`.
  private var place: String { command.map { "\(tool.name) \($0.name)" } ?? tool.name }

  private mutating func read(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if areOptionsOver || !word.hasPrefix("-") || word == "-" {
        words.append(word)
      } else if word == "--" {
        areOptionsOver = true
      } else if word.hasPrefix("--") {
        try readLong(word, &rest)
      } else {
        try readShort(word, &rest)
      }
    }
  }

  private mutating func readLong(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard let option = options.first(where: { $0.name == name }) else { throw unknownOption("--" + name) }
    if option.value == nil {
      guard parts.count == 1 else { throw error("--\(name) takes no value.") }
      accept(option, "")
    } else if parts.count > 1 {
      try accept(option, checking: String(parts[1]))
    } else {
      try accept(option, checking: next(of: "--" + name, &rest))
    }
  }

  private mutating func readShort(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        throw unknownOption("-\(letter)")
      }
      if option.value == nil {
        accept(option, "")
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      try accept(option, checking: letters.isEmpty ? next(of: "-\(letter)", &rest) : String(letters))
      return
    }
  }

  private func next(of form: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
    // If a value is missing, the next option must not be taken as the value.
    let isOption = rest.first.map { word in options.contains { $0.forms.contains(word) } } ?? true
    guard !isOption, let value = rest.popFirst() else { throw error("\(form) needs a value.") }
    return value
  }

  private mutating func accept(_ option: OptionDeclaration, checking value: String) throws(UsageError) {
    guard !value.isEmpty else { throw error("--\(option.name) needs a value.") }
    try check(value, option.completion, of: "--\(option.name)")
    accept(option, value)
  }

  private mutating func accept(_ option: OptionDeclaration, _ value: String) {
    switch option.name {
    case "help": isHelpWanted = true
    case "version" where tool.version != nil: isVersionWanted = true
    default: found.append((option, value))
    }
  }

  private func check(_ value: String, _ completion: ValueCompletion, of name: String) throws(UsageError) {
    guard case .words(let known) = completion, !known.contains(value) else { return }
    throw UsageError(
      "\(name) must be one of \(known.joined(separator: ", ")), not '\(Format.printable(value))'.",
      unknown: value,
      known: known,
      command: command?.name
    )
  }

  private func unknownOption(_ form: String) -> UsageError {
    let shown = Format.printable(form)
    let owners = tool.commands.flatMap(\.leaves).filter { $0.options.contains { $0.forms.contains(form) } }
    // Another action of the same command comes first.
    let siblings = command.map { $0.name.prefix { $0 != " " } + " " } ?? ""
    if let owner = owners.first(where: { $0.name.hasPrefix(siblings) }) ?? owners.first {
      return error("\(shown) is an option of \(tool.name) \(owner.name), not of \(place).")
    }
    if form.dropFirst().first?.isNumber == true {
      return error("\(place) has no option \(shown).", suggestion: "Put -- before a negative number.")
    }
    return UsageError(
      "\(place) has no option \(shown).",
      unknown: form,
      known: options.map { "--\($0.name)" },
      command: command?.name
    )
  }

  private mutating func request() throws(UsageError) -> Request {
    if isVersionWanted { return .version }
    if words.first == "help" {
      for word in words.dropFirst() where command?.actions.isEmpty != true { try enter(word) }
      return .help(command, isRequested: true)
    }
    if isHelpWanted { return .help(command, isRequested: true) }
    guard let command else {
      // A program that expects a document cannot use the help text.
      guard !found.contains(where: { $0.option.name == "json" }) else {
        throw UsageError("COMMAND is missing: one of \(tool.commands.map(\.name).joined(separator: ", ")).")
      }
      return .help(nil, isRequested: false)
    }
    guard command.actions.isEmpty else {
      throw error("ACTION is missing: one of \(command.actions.map(\.word).joined(separator: ", ")).")
    }
    var invocation = Invocation(command)
    invocation.words = Array(words.dropFirst(nameLength))
    for (option, value) in found { invocation.add(option, value) }
    try checkWords(invocation)
    if command.name == "completion", let shell = invocation.word(0).flatMap(Shell.init(rawValue:)) {
      return .completion(shell)
    }
    return .run(invocation)
  }

  private func checkWords(_ invocation: Invocation) throws(UsageError) {
    var rest = invocation.words[...]
    for positional in invocation.command.positionals {
      let isNeeded = positional.count == .one || positional.count == .atLeastOne
      guard !rest.isEmpty || !isNeeded else {
        throw error("\(positional.name) is missing: \(positional.summary).")
      }
      let isLong = positional.count == .any || positional.count == .atLeastOne
      for word in isLong ? rest : rest.prefix(1) {
        try check(word, positional.completion, of: positional.name)
      }
      rest = isLong ? [] : rest.dropFirst()
    }
    if let surplus = rest.first { throw error("'\(Format.printable(surplus))' is an unexpected argument.") }
    for option in invocation.command.options where option.isRequired && !invocation.has(option.name) {
      throw error("--\(option.name) is missing. \(option.summary)")
    }
  }
}
