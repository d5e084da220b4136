import Foundation
package import Synchronization

/// The output for people: headings, sentences, tables, progress.
package struct Console: Sendable {
  /// The abilities of the output.
  package let terminal: Terminal
  /// Writes text as it is.
  package let write: @Sendable (String) -> Void

  /// Makes a console that hands its text to `write`.
  package init(terminal: Terminal, write: @escaping @Sendable (String) -> Void) {
    self.terminal = terminal
    self.write = write
  }

  /// The process's own standard output.
  package static func standardOutput(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Console {
    Console(terminal: .standardOutput(environment: environment)) { text in
      // A reader that went away (`petstore demo | head`) is no reason to end the work.
      do { try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) } catch {
        isOutputLost.store(true, ordering: .relaxed)
      }
    }
  }

  /// Whether something could not be written to the process's standard output.
  package static let isOutputLost = Atomic(false)

  /// The process's own standard error, for questions, progress and errors.
  package static func standardError(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Console {
    Console(terminal: .standardError(environment: environment)) { text in
      try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
  }

  /// One line of text.
  package func line(_ text: String = "") {
    write(text + "\n")
  }

  /// A numbered or plain heading with an empty line above.
  package func heading(_ text: String) {
    line()
    line(styled(text, .bold))
  }

  /// Text in a colour, where the terminal has colours.
  package func styled(_ text: String, _ style: Style) -> String {
    terminal.hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The style of text on a terminal; its meaning is always in the words too.
  package enum Style: Int, Sendable {
    case bold = 1
    case red = 31
    case green = 32
    case yellow = 33
  }

  /// A sentence under a heading, folded at the width of the terminal (100 columns at most).
  package func say(_ text: String, indent: Int = 2) {
    for folded in Self.fold(text, width: min(terminal.width, 100) - indent) {
      line(String(repeating: " ", count: indent) + folded)
    }
  }

  /// A table, indented like the sentences.
  package func table(_ table: Table, indent: Int = 2) {
    for (text, style) in zip(table.lines(), table.styles) {
      line(String(repeating: " ", count: indent) + (style.map { styled(text, $0) } ?? text))
    }
  }

  /// Replaces the line that the cursor is on.
  package func redraw(_ text: String) {
    write("\r\u{1B}[2K" + text)
  }

  /// Breaks a sentence at blanks into lines of at most `width` characters; a longer word stays whole.
  package static func fold(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    for word in text.split(separator: " ") {
      if !current.isEmpty, current.count + 1 + word.count > width {
        lines.append(current)
        current = ""
      }
      if !current.isEmpty { current += " " }
      current += word
    }
    if !current.isEmpty { lines.append(current) }
    return lines
  }
}
