public import Fief
package import FiefConsole
public import Foundation
import Synchronization

/// The command that maintains the stores of an application: it shows their state, migrates them, keeps
/// backups and restores them.
///
/// ```swift
/// import FiefCommands
/// import MyModels
///
/// MigrationRunner(AuthRepository(), PetRepository()).main()
/// ```
/// These lines are a complete program; `--help` describes it. Pass the repositories of the application, so
/// that the runner migrates with the application's own classes and migration blocks.
///
/// If the `directory` of a repository is `nil`, its store is in the default directory *of the running
/// program*, and the runner is a different program than the application. Therefore specify the directory in
/// the repositories, or pass `--directory`.
public struct MigrationRunner: Sendable {
  /// The outcome of a command, and the exit status of the process.
  ///
  /// If there are several stores, the worst outcome counts: damaged, failed, refused, done, nothing to do.
  public enum Outcome: Int32, Sendable, CaseIterable {
    /// The command succeeded.
    case done = 0
    /// Something failed, and the store is unchanged.
    case failed = 1
    /// There was nothing to do.
    case nothingToDo = 3
    /// The command was not started: not confirmed, disk full, store in use, or a store that this program must
    /// not change.
    case refused = 4
    /// A store is damaged.
    case damaged = 5
    /// The command line is wrong.
    case usage = 64
  }

  let domains: [Domain]
  let name: String
  let backups: String?
  let backupsKept: Int

  /// Creates a runner for the stores of repositories. Nothing is opened before a command runs.
  ///
  /// - Parameters:
  ///   - repositories: the repositories of the stores. Commands handle the stores in this order, one after
  ///     another.
  ///   - name: the program's name in messages, or `nil` for the name of the executable.
  ///   - backups: the directory for backups, or `nil` for `.backups` beside each store.
  ///   - backupsKept: the number of backups to keep for each store, at least 1.
  public init(
    _ repositories: any DatabaseConfigurable...,
    name: String? = nil,
    backups: String? = nil,
    backupsKept: Int = 5
  ) {
    self.init(repositories: repositories, name: name, backups: backups, backupsKept: backupsKept)
  }

  /// Creates a runner for an array of repositories, like ``init(_:name:backups:backupsKept:)``.
  public init(
    repositories: [any DatabaseConfigurable],
    name: String? = nil,
    backups: String? = nil,
    backupsKept: Int = 5
  ) {
    domains = repositories.map { Domain($0) }
    self.name = name ?? (CommandLine.arguments.first.map { ($0 as NSString).lastPathComponent } ?? "migrate")
    self.backups = backups
    self.backupsKept = max(1, backupsKept)
  }

  /// Runs the command that the process's arguments specify, and exits with the documented status.
  public func main() -> Never {
    // If the reader of the output closes it, the work must continue.
    signal(SIGPIPE, SIG_IGN)
    Interruption.install()
    let io = CommandIO.process()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let outcome = run(arguments, on: io)
    guard Console.isOutputLost.load(ordering: .relaxed), outcome == .done || outcome == .nothingToDo else {
      exit(outcome.rawValue)
    }
    io.error.line("\(name): The command succeeded, but its output could not be written.")
    exit(Outcome.failed.rawValue)
  }

  /// Runs a command on the streams of the process.
  ///
  /// - Parameters:
  ///   - arguments: the arguments after the program's name.
  ///   - environment: the environment variables. `NO_COLOR`, `TERM`, `COLUMNS` and the variable of
  ///     `--key-env` are used.
  /// - Returns: the outcome, which includes all failures; nothing is thrown.
  public func run(
    _ arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Outcome {
    run(arguments, on: .process(environment: environment))
  }

  /// Runs a command and returns its output, for tests. It asks no questions and has no terminal.
  ///
  /// - Parameters:
  ///   - arguments: the arguments after the program's name.
  ///   - environment: the environment variables, for `--key-env`.
  ///   - output: receives the text for standard output.
  ///   - error: receives the text for standard error.
  public func run(
    _ arguments: [String],
    environment: [String: String] = [:],
    output: @escaping @Sendable (String) -> Void,
    error: @escaping @Sendable (String) -> Void
  ) -> Outcome {
    run(
      arguments,
      on: CommandIO(
        output: Console(terminal: .plain, write: output),
        error: Console(terminal: .plain, write: error),
        environment: environment
      )
    )
  }

  /// Runs a command on given streams.
  package func run(_ arguments: [String], on io: CommandIO) -> Outcome {
    let tool = declaration
    do {
      switch try ArgumentParser.parse(arguments, of: tool) {
      case .run(let invocation):
        return try RunnerSession(self, invocation, io).run()
      case .help(let command, let isRequested):
        let console = isRequested ? io.output : io.error
        for line in HelpWriter(tool, width: console.terminal.width).lines(for: command) { console.line(line) }
        return isRequested ? .done : .usage
      case .completion(.bash): io.output.write(BashCompletion(tool).script())
      case .completion(.zsh): io.output.write(ZshCompletion(tool).script())
      case .version: break
      }
      return .done
    } catch {
      // Only the command line can be wrong here, because commands report failures per store.
      return report(error, arguments, io)
    }
  }

  private func report(_ error: UsageError, _ arguments: [String], _ io: CommandIO) -> Outcome {
    if arguments.contains("--json") {
      let document: JSONValue = [
        "command": .text(error.command), "outcome": "usage", "exitStatus": 64,
        "error": ["message": .string(error.message), "suggestion": .text(error.suggestion)],
      ]
      io.output.line(document.pretty())
    } else {
      let command = error.command.map { " \($0)" } ?? ""
      io.error.line("\(name): \(error)")
      io.error.line("'\(name)\(command) --help' explains the command.")
    }
    return .usage
  }
}
