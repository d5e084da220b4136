import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The input and output of a command: the process's own streams, or those of a test.
package struct CommandIO: Sendable {
  /// The console for answers: standard output.
  package var output: Console
  /// The console for questions, progress and errors: standard error.
  package var error: Console
  /// Whether a user can answer a question.
  package var isInteractive: Bool
  /// Reads a line that the user types, without its end; nil at the end of the input.
  package var readLine: @Sendable () -> String?
  /// Shows a question and reads a line that the user types without an echo; nil where that is not possible.
  package var readSecret: @Sendable (_ question: String) -> String?
  /// The environment, for names of variables on the command line.
  package var environment: [String: String]

  /// Makes streams.
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

  /// The streams of the process.
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

  /// Reads a line from the terminal of the process without an echo.
  @Sendable private static func readHidden(_ question: String) -> String? {
    // SAFETY: the C library's own text, which is copied and then wiped; commands ask on one thread.
    guard let typed = getpass(question) else { return nil }
    defer { memset(typed, 0, strlen(typed)) }
    return String(cString: typed)
  }

  /// Asks whether to continue.
  ///
  /// - Parameters:
  ///   - question: a sentence with a question mark.
  ///   - isYes: whether `--yes` was given, so that there is no question.
  /// - Returns: the answer: anything but `y` and `yes` is no.
  package func confirm(_ question: String, isYes: Bool) -> Answer {
    if isYes { return .yes }
    guard isInteractive else { return .cannotAsk }
    error.write("\(question) [y/N] ")
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    return answer == "y" || answer == "yes" ? .yes : .no
  }

  /// The answer to a question.
  package enum Answer: Sendable, Equatable {
    /// Go on.
    case yes
    /// Do not.
    case no
    /// The input is no terminal and `--yes` was not given: do not.
    case cannotAsk
  }
}
