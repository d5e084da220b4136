import Foundation

/// What the output can do: a screen that redraws a line, or a file that only grows.
package struct Terminal: Sendable, Equatable {
  /// Whether a line can be redrawn in place.
  package var isInteractive: Bool
  /// Whether colours are wanted.
  package var hasColour: Bool
  /// The number of columns.
  package var width: Int

  /// A log file, a pipe, a test.
  package static let plain = Terminal(isInteractive: false, hasColour: false, width: 80)

  /// What the process's standard output is, and what its environment asks for.
  ///
  /// `NO_COLOR` with any value but the empty one switches colours off (no-color.org), and
  /// `TERM=dumb` the redrawing as well.
  package static func standardOutput(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Terminal {
    Terminal(
      isTerminal: isatty(STDOUT_FILENO) == 1,
      columns: columnsOfStandardOutput(),
      environment: environment
    )
  }

  /// The decision by itself, from what was found out.
  package init(isTerminal: Bool, columns: Int?, environment: [String: String]) {
    isInteractive = isTerminal && environment["TERM"] != "dumb"
    hasColour = isInteractive && (environment["NO_COLOR"] ?? "").isEmpty
    let wanted = columns ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80
    width = min(max(wanted, 20), 400)
  }

  private init(isInteractive: Bool, hasColour: Bool, width: Int) {
    self.isInteractive = isInteractive
    self.hasColour = hasColour
    self.width = width
  }

  private static func columnsOfStandardOutput() -> Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
