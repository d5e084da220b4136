/// Formats the help of a tool and its commands as lines of a limited width.
package struct HelpWriter {
  private let tool: CommandLineTool
  private let width: Int

  /// Creates a writer for a terminal's width. Lines have at most 100 columns, because longer ones are hard to
  /// read.
  package init(_ tool: CommandLineTool, width: Int) {
    self.tool = tool
    self.width = min(max(width, 40), 100)
  }

  /// Returns the help of a command, or of the whole tool.
  package func lines(for command: CommandDeclaration?) -> [String] {
    guard let command else { return lines() }
    var lines = folded("\(command.summary).", indent: 0)
    lines += ["", "Usage"] + folded(usage(of: command), indent: 2, hanging: 4)
    lines += paragraphs(command.discussion)
    if command.actions.isEmpty {
      lines += section("Arguments", command.positionals.map { ($0.name, $0.summary) })
      lines += section("Options", command.options.map { ($0.heading, $0.summary) })
    } else {
      lines += section("Actions", command.actions.map { ($0.word, "\($0.summary).") })
    }
    lines += section("Options of every command", tool.options.map { ($0.heading, $0.summary) })
    lines += examples(command.examples)
    lines += statuses()
    if command.actions.isEmpty { return lines }
    return lines + [""]
      + folded("'\(tool.name) \(command.name) ACTION --help' explains an action.", indent: 0)
  }

  private func lines() -> [String] {
    var lines = folded("\(tool.name): \(tool.summary)", indent: 0)
    lines += ["", "Usage"] + folded("\(tool.name) COMMAND [ARGUMENTS] [OPTIONS]", indent: 2)
    lines += paragraphs(tool.discussion)
    lines += section("Commands", tool.commands.map { ($0.name, "\($0.summary).") })
    lines += section("Options", tool.options.map { ($0.heading, $0.summary) })
    lines += examples(tool.examples)
    lines += statuses()
    return lines + [""] + folded("'\(tool.name) COMMAND --help' explains a command.", indent: 0)
  }

  private func usage(of command: CommandDeclaration) -> String {
    var text = "\(tool.name) \(command.name)"
    for positional in command.positionals {
      switch positional.count {
      case .one: text += " \(positional.name)"
      case .optional: text += " [\(positional.name)]"
      case .any: text += " [\(positional.name)…]"
      case .atLeastOne: text += " \(positional.name)…"
      }
    }
    for option in command.options where command.actions.isEmpty {
      let form = "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
      text += (option.isRequired ? " \(form)" : " [\(form)]") + (option.isRepeatable ? "…" : "")
    }
    return text
  }

  private func paragraphs(_ texts: [String]) -> [String] {
    texts.flatMap { [""] + folded($0, indent: 0) }
  }

  private func section(_ title: String, _ entries: [(String, String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    // A wider column for long names would leave too little space for the sentences.
    let column = min(entries.map(\.0.count).max() ?? 0, 26) + 4
    var lines = ["", title]
    for (name, text) in entries {
      var texts = Console.fold(text, width: width - column)[...]
      let padding = String(repeating: " ", count: max(0, column - 2 - name.count))
      if name.count + 4 <= column, let first = texts.popFirst() {
        lines.append("  \(name)\(padding)\(first)")
      } else {
        lines.append("  \(name)")
      }
      lines += texts.map { String(repeating: " ", count: column) + $0 }
    }
    return lines
  }

  private func examples(_ examples: [CommandLineTool.Example]) -> [String] {
    guard !examples.isEmpty else { return [] }
    return ["", "Examples"]
      + examples.flatMap { ["  " + $0.commandLine] + folded($0.explanation, indent: 6) }
  }

  private func statuses() -> [String] {
    section("Exit status", tool.exitStatuses.map { (String($0.status.rawValue), $0.meaning) })
  }

  private func folded(_ text: String, indent: Int, hanging: Int? = nil) -> [String] {
    let lines = Console.fold(text, width: width - (hanging ?? indent))
    return lines.enumerated().map { index, line in
      String(repeating: " ", count: index == 0 ? indent : hanging ?? indent) + line
    }
  }
}
