/// Generates a completion script for zsh from a tool's declaration.
package struct ZshCompletion {
  private let tool: CommandLineTool
  private let function: String

  /// Creates a generator for a tool's script.
  package init(_ tool: CommandLineTool) {
    self.tool = tool
    function = ShellText.function(of: tool.name)
  }

  /// Returns the script, which works as a file in `$fpath` and when it is sourced.
  package func script() -> String {
    """
    #compdef \(tool.name)
    # Completion of \(tool.name) for zsh.
    \(asking())    \(function)() {
      local curcontext="$curcontext" state line ret=1
      typeset -A opt_args
      local -a commands
      commands=(
    \(tool.commands.map { "    \(description(of: $0))\n" }.joined())    'help:Shows the help'
      )
      _arguments -C \\
    \(specifications(tool.options))    '1: :->command' \\
        '*:: :->arguments' && ret=0
      case $state in
        command) _describe -t commands command commands && ret=0 ;;
        arguments)
          case $words[1] in
            help) _describe -t commands command commands && ret=0 ;;
    \(tool.commands.map { arguments(of: $0) }.joined())      esac ;;
      esac
      return ret
    }
    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then \(function) "$@"; else compdef \(function) \(tool.name); fi

    """
  }

  /// Returns the shell function that asks the tool, or an empty text if nothing is completed by the tool.
  private func asking() -> String {
    guard tool.commands.contains(where: \.asks) else { return "" }
    return """
      \(function)_asked() {
        local -a places names
        places=("${(@)${(@Q)line}/#\\~\\//$HOME/}")
        names=("${(@f)$(\(ShellText.quoted(tool.name)) \(ValueCompletion.command) "$1" "${places[@]}" "$PREFIX" 2>/dev/null)}")
        names=(${names:#})
        (( $#names )) && compadd -- "${names[@]}"
      }

      """
  }

  private func description(of command: CommandDeclaration) -> String {
    quote("\(command.name.replacing(":", with: "\\:")):\(command.summary)")
  }

  private func arguments(of command: CommandDeclaration) -> String {
    var text = "        \(command.name))\n          _arguments \\\n"
    text += specifications(command.options + tool.options)
    for (index, positional) in command.positionals.enumerated() {
      let isLong = positional.count == .any || positional.count == .atLeastOne
      let place = isLong ? "*" : "\(index + 1)"
      let optional = positional.count == .optional ? ":" : ""
      let action = action(positional.completion)
      text += "    " + quote("\(place):\(optional)\(escaped(positional.name)):\(action)") + " \\\n"
    }
    return text + "            && ret=0 ;;\n"
  }

  private func specifications(_ options: [OptionDeclaration]) -> String {
    var text = ""
    for option in options {
      let value = option.value.map { ":\(escaped($0)):\(action(option.completion))" } ?? ""
      for form in option.forms {
        // The value of a short name is the next word or the text directly after the name; the value of a long
        // name may also follow `=`.
        let sign = option.value == nil ? "" : form.hasPrefix("--") ? "=" : "+"
        let repeats =
          option.isRepeatable ? "*" : option.forms.count > 1 ? "(\(option.forms.joined(separator: " ")))" : ""
        text += "    " + quote("\(repeats)\(form)\(sign)[\(escaped(option.summary))]\(value)") + " \\\n"
      }
    }
    return text
  }

  private func action(_ completion: ValueCompletion) -> String {
    switch completion {
    case .none: " "
    case .files: "_files"
    case .directories: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .asked(let name): "{\(function)_asked \(name)}"
    }
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }

  private func quote(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
