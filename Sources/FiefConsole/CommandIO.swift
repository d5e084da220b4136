import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The input and output of a command: the process's own streams, or streams of a test.
package struct CommandIO: Sendable {
  /// The console for answers: standard output.
  package var output: Console
  /// The console for questions, progress and errors: standard error.
  package var error: Console
  /// Whether a user can answer a question.
  package var isInteractive: Bool
  /// Reads a line that the user types, without the newline, or returns `nil` at the end of the input.
  package var readLine: @Sendable () -> String?
  /// Shows a question and reads a line without echo, or returns `nil` if that is not possible.
  package var readSecret: @Sendable (_ question: String) -> String?
  /// The environment variables to which the command line can refer.
  package var environment: [String: String]

  /// Creates the input and output of a command.
  package init(
    output: Console,
    error: Console,
    isInteractive: Bool = false,
    readLine: @escaping @Sendable () -> String? = { nil },
    readSecret: @escaping @Sendable (_ question: String) -> String? = { _ in nil },
    environment: [String: String] = [:]
  ) {
    self.output = output
    self.error = error
    self.isInteractive = isInteractive
    self.readLine = readLine
    self.readSecret = readSecret
    self.environment = environment
  }

  /// Returns the streams of the process.
  package static func process(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> CommandIO {
    CommandIO(
      output: .standardOutput(environment: environment),
      error: .standardError(environment: environment),
      isInteractive: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1,
      readLine: { Swift.readLine() },
      readSecret: readHidden,
      environment: environment
    )
  }

  /// Reads a line from the terminal of the process without echo.
  @Sendable private static func readHidden(_ question: String) -> String? {
    // SAFETY: the text belongs to the C library; it is copied and then wiped, and commands ask on one thread
    // only.
    guard let typed = getpass(question) else { return nil }
    defer { memset(typed, 0, strlen(typed)) }
    return String(cString: typed)
  }

  /// Asks whether to continue.
  ///
  /// - Parameters:
  ///   - question: a sentence with a question mark.
  ///   - isYes: whether `--yes` was given, so that no question is asked.
  /// - Returns: the answer. Any input except `y` and `yes` counts as no.
  package func confirm(_ question: String, isYes: Bool) -> Answer {
    if isYes { return .yes }
    guard isInteractive else { return .cannotAsk }
    error.write("\(question) [y/N] ")
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    return answer == "y" || answer == "yes" ? .yes : .no
  }

  /// The answer to a question.
  package enum Answer: Sendable, Equatable {
    /// Continue.
    case yes
    /// Do not continue.
    case no
    /// Do not continue, because the input is not a terminal and `--yes` was not given.
    case cannotAsk
  }
}
