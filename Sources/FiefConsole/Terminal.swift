import Foundation

/// The capabilities of the output: a screen on which a line can be redrawn, or a file that only grows.
package struct Terminal: Sendable, Equatable {
  /// Whether a line can be redrawn in place.
  package var isInteractive: Bool
  /// Whether colours are used.
  package var hasColour: Bool
  /// The number of columns.
  package var width: Int

  /// The capabilities of a log file, a pipe or a test.
  package static let plain = Terminal(isInteractive: false, hasColour: false, width: 80)

  /// Returns the capabilities of the process's standard output, adjusted by its environment.
  ///
  /// A non-empty `NO_COLOR` disables colours (no-color.org), and `TERM=dumb` disables redrawing as well.
  package static func standardOutput(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Terminal { ofDescriptor(STDOUT_FILENO, environment) }

  /// Returns the capabilities of the process's standard error, adjusted by its environment.
  package static func standardError(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Terminal { ofDescriptor(STDERR_FILENO, environment) }

  private static func ofDescriptor(_ descriptor: Int32, _ environment: [String: String]) -> Terminal {
    Terminal(
      isTerminal: isatty(descriptor) == 1,
      columns: columns(of: descriptor),
      environment: environment
    )
  }

  /// Determines the capabilities from the properties of the output and the environment.
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

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
