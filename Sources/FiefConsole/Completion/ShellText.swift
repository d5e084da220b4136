/// Text for shells.
package enum ShellText {
  /// Returns a word quoted for a shell: in single quotes, inside which no character is special, if it needs
  /// quotes.
  package static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0123456789-_./+:@%".unicodeScalars.contains($0)
      }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// Returns the name of a shell function for a tool.
  static func function(of tool: String) -> String {
    "_" + String(tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

extension CommandDeclaration {
  /// Whether the tool itself completes some of the command's words.
  var asks: Bool {
    (positionals.map(\.completion) + options.map(\.completion)).contains {
      if case .asked = $0 { true } else { false }
    }
  }
}
