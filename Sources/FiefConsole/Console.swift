import Foundation
package import Synchronization

/// Output for users: headings, sentences, tables and progress.
package struct Console: Sendable {
  /// The capabilities of the output.
  package let terminal: Terminal
  /// Writes text without changing it.
  package let write: @Sendable (String) -> Void

  /// Creates a console that passes its text to `write`.
  package init(terminal: Terminal, write: @escaping @Sendable (String) -> Void) {
    self.terminal = terminal
    self.write = write
  }

  /// Returns a console for the process's standard output.
  package static func standardOutput(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Console {
    Console(terminal: .standardOutput(environment: environment)) { text in
      // If the reader has closed the pipe (`petstore demo | head`), the work continues.
      do { try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) } catch {
        isOutputLost.store(true, ordering: .relaxed)
      }
    }
  }

  /// Whether some output could not be written to the process's standard output.
  package static let isOutputLost = Atomic(false)

  /// Returns a console for the process's standard error, which shows questions, progress and errors.
  package static func standardError(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Console {
    Console(terminal: .standardError(environment: environment)) { text in
      try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
  }

  /// Writes a line of text.
  package func line(_ text: String = "") {
    write(text + "\n")
  }

  /// Writes a heading with an empty line above it.
  package func heading(_ text: String) {
    line()
    line(styled(text, .bold))
  }

  /// Returns text in a style, if the terminal supports colours.
  package func styled(_ text: String, _ style: Style) -> String {
    terminal.hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The style of text on a terminal. The text must express its meaning without the style, too.
  package enum Style: Int, Sendable {
    case bold = 1
    case red = 31
    case green = 32
    case yellow = 33
  }

  /// Writes an indented sentence, wrapped at the width of the terminal (at most 100 columns).
  package func say(_ text: String, indent: Int = 2) {
    for folded in Self.fold(text, width: min(terminal.width, 100) - indent) {
      line(String(repeating: " ", count: indent) + folded)
    }
  }

  /// Writes a table, indented like the sentences.
  package func table(_ table: Table, indent: Int = 2) {
    for (text, style) in zip(table.lines(), table.styles) {
      line(String(repeating: " ", count: indent) + (style.map { styled(text, $0) } ?? text))
    }
  }

  /// Replaces the line at the cursor.
  package func redraw(_ text: String) {
    write("\r\u{1B}[2K" + text)
  }

  /// Wraps a text at spaces into lines of at most `width` characters. Longer words are not broken.
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
