/// Text as shells need it.
package enum ShellText {
  /// A word as a shell takes it: between single quotes, where nothing is special, if it needs them.
  package static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0123456789-_./+:@%".unicodeScalars.contains($0)
      }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// The name of a shell function for a tool.
  static func function(of tool: String) -> String {
    "_" + String(tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

extension CommandDeclaration {
  /// Whether some of its words are completed by the tool itself.
  var asks: Bool {
    (positionals.map(\.completion) + options.map(\.completion)).contains {
      if case .asked = $0 { true } else { false }
    }
  }
}
