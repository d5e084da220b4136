/// Generates a completion script for bash from a tool's declaration.
///
/// The script works with bash 3.2, which macOS has, and without the package bash-completion.
package struct BashCompletion {
  private let tool: CommandLineTool
  private let function: String

  /// Creates a generator for a tool's script.
  package init(_ tool: CommandLineTool) {
    self.tool = tool
    function = ShellText.function(of: tool.name)
  }

  /// Returns the script.
  package func script() -> String {
    """
    # Completion of \(tool.name) for bash.
    \(function)_reply() {
      local line
      while IFS= read -r line; do COMPREPLY+=("$line"); done
    }
    \(asking())\(function)() {
      local current="${COMP_WORDS[COMP_CWORD]}" previous="" command="" word index skip=0 place=0 places=()
      COMPREPLY=()
      if ((COMP_CWORD > 0)); then previous="${COMP_WORDS[COMP_CWORD - 1]}"; fi
      # bash makes words of '=' and of what stands on both sides of it.
      if [[ $current == "=" ]]; then
        current=""
      elif [[ $previous == "=" ]] && ((COMP_CWORD > 1)); then
        previous="${COMP_WORDS[COMP_CWORD - 2]}"
      fi
      for ((index = 1; index < COMP_CWORD; index++)); do
        word="${COMP_WORDS[index]}"
        if [[ $word == "=" ]]; then skip=1; continue; fi
        if ((skip)); then skip=0; continue; fi
        case "$word" in
    \(optionsWithValues())      -*) ;;
          *) if [[ -z $command ]]; then command="$word"; else place=$((place + 1)); places+=("$word"); fi ;;
        esac
      done
      case "$command $previous" in
    \(values())  esac
      if [[ $current == -* ]]; then
        case "$command" in
    \(tool.commands.map { optionNames($0) }.joined())      *) \(reply(words: forms(tool.options))) ;;
        esac
        return
      fi
      if [[ -z $command ]]; then
        \(reply(words: tool.commands.map(\.name) + ["help"]))
        return
      fi
      case "$command $place" in
    \(positionals())  esac
    }
    complete -F \(function) \(ShellText.quoted(tool.name))

    """
  }

  private func reply(words: [String]) -> String {
    let list = words.map(ShellText.quoted).joined(separator: " ")
    return "\(function)_reply < <(compgen -W \(ShellText.quoted(list)) -- \"$current\")"
  }

  private func reply(_ completion: ValueCompletion) -> String {
    switch completion {
    case .none: ":"
    case .words(let words): reply(words: words)
    case .asked(let name): "\(function)_asked \(ShellText.quoted(name)) ${places[@]+\"${places[@]}\"}"
    case .files: "compopt -o filenames 2>/dev/null; \(function)_reply < <(compgen -f -- \"$current\")"
    case .directories: "compopt -o filenames 2>/dev/null; \(function)_reply < <(compgen -d -- \"$current\")"
    }
  }

  /// Returns the shell function that asks the tool, or an empty text if nothing is completed by the tool.
  private func asking() -> String {
    guard tool.commands.contains(where: \.asks) else { return "" }
    // The words are unprocessed: the shell has not expanded tildes or removed quotes yet.
    return """
      \(function)_asked() {
        local name="$1" word words=() line
        shift
        for word in "$@"; do
          word="${word/#\\~\\//$HOME/}"
          words+=("${word//[\\\\\\"\\']/}")
        done
        while IFS= read -r line; do
          [[ $line == "$current"* ]] && COMPREPLY+=("$line")
        done < <("${COMP_WORDS[0]/#\\~\\//$HOME/}" \(ValueCompletion.command) "$name" "${words[@]}" "$current" 2>/dev/null)
      }

      """
  }

  private func forms(_ options: [OptionDeclaration]) -> [String] { options.flatMap(\.forms) }

  private func optionsWithValues() -> String {
    let all = tool.options + tool.commands.flatMap(\.options)
    let names = forms(all.filter { $0.value != nil })
    return names.isEmpty ? "" : "      \(Set(names).sorted().joined(separator: "|"))) skip=1 ;;\n"
  }

  private func values() -> String {
    var text = ""
    func add(_ option: OptionDeclaration, of command: String) {
      guard option.value != nil else { return }
      let patterns = option.forms.map { "\(command)\" \($0)\"" }.joined(separator: "|")
      text += "    \(patterns)) \(reply(option.completion)); return ;;\n"
    }
    for command in tool.commands {
      for option in command.options { add(option, of: ShellText.quoted(command.name)) }
    }
    for option in tool.options { add(option, of: "*") }
    return text
  }

  private func optionNames(_ command: CommandDeclaration) -> String {
    "      \(ShellText.quoted(command.name))) \(reply(words: forms(command.options + tool.options))) ;;\n"
  }

  private func positionals() -> String {
    var text = "    \"help \"*) \(reply(words: tool.commands.map(\.name))) ;;\n"
    for command in tool.commands {
      for (index, positional) in command.positionals.enumerated() {
        let isLong = positional.count == .any || positional.count == .atLeastOne
        let place = isLong ? "\" \"*" : "\" \(index)\""
        text += "    \(ShellText.quoted(command.name))\(place)) \(reply(positional.completion)) ;;\n"
      }
    }
    return text
  }
}
