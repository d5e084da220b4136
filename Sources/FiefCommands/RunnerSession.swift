import Fief
import FiefConsole
import FiefMaintenance
import Foundation

/// One run of a command: its arguments, its stores and its output.
struct RunnerSession {
  let tool: String
  let invocation: Invocation
  let io: CommandIO
  let stores: [StoreMaintenance]
  let isJSON: Bool
  /// The directory for backups, or `nil` for the directory beside each store.
  let backups: String?
  /// The number of backups to keep.
  let keep: Int

  /// - Throws: ``UsageError`` if no repository has a named store or a number is invalid.
  init(_ runner: MigrationRunner, _ invocation: Invocation, _ io: CommandIO) throws(UsageError) {
    tool = runner.name
    self.invocation = invocation
    self.io = io
    isJSON = invocation.has("json")
    backups = invocation["backups"] ?? runner.backups
    keep = try invocation.integer("keep", in: 1...Int.max) ?? runner.backupsKept
    let known = runner.domains.map(\.name)
    let wanted = invocation.values(of: "only")
    for name in wanted where !known.contains(name) {
      throw UsageError(
        "No repository has a store '\(Format.printable(name))'; stores: \(known.joined(separator: ", ")).",
        unknown: name,
        known: known,
        command: invocation.command.name
      )
    }
    let directory = invocation["directory"]
    let named = try StoreKeyOptions.named(by: invocation, in: io.environment)
    // The typed keys by store, so that the user is asked only once per store. Commands run on one thread.
    let typed = Lock<[ExactText: StoreEncryption?]>([:])
    let key: @Sendable (String) -> StoreEncryption? = { store in
      if let named { return named }
      if let known = typed.withLock({ $0[ExactText(store)] }) { return known }
      let answer = StoreKeyOptions.asked(for: "The store \(store)", on: io)
      typed.withLock { $0[ExactText(store)] = .some(answer) }
      return answer
    }
    stores = runner.domains.filter { wanted.isEmpty || wanted.contains($0.name) }
      .map { $0.maintenance(in: directory, key: key) }
  }

  func run() throws(UsageError) -> MigrationRunner.Outcome {
    let report: CommandReport
    switch invocation.command.name {
    case "status": report = status()
    case "plan": report = plan()
    case "migrate": report = try migrate()
    case "rollback": report = try rollback()
    case "verify": report = verify()
    case "schema": report = schema()
    case "diff": report = diff()
    case "compact": report = compact()
    case "backup": report = backup()
    case "restore": report = try restore()
    default: throw UsageError("'\(invocation.command.name)' is not a command of \(tool).")
    }
    return finish(report)
  }

  /// Writes the report and returns its outcome.
  private func finish(_ report: CommandReport) -> MigrationRunner.Outcome {
    let outcome = report.outcome
    let isZero = outcome == .nothingToDo && invocation.has("exit-zero")
    let result = isZero ? .done : outcome
    if isJSON {
      io.output.line(report.document(invocation.command.name, outcome, exitStatus: result.rawValue).pretty())
    } else {
      report.write(to: io, isFinal: true)
    }
    return result
  }

  /// Returns the command line of another command for a store, as a user would type it.
  func commandLine(_ command: String, for store: String? = nil, _ more: String...) -> String {
    var words = [tool, command] + more
    if let store { words += ["--only", store] }
    if let directory = invocation["directory"] { words += ["--directory", directory] }
    if let backups = invocation["backups"] { words += ["--backups", backups] }
    for option in StoreKeyOptions.declarations {
      if let value = invocation[option.name] { words += ["--\(option.name)", value] }
    }
    return words.map { ShellText.quoted($0) }.joined(separator: " ")
  }

  /// Returns the advice about an error of a store.
  func advice(
    _ error: any Error,
    _ store: StoreMaintenance,
    consequence: String = "Nothing was changed."
  ) -> ErrorAdvice {
    ErrorAdvice(
      error,
      commands: ErrorAdvice.Commands(
        failed: ErrorAdvice.Commands.Name(ofCommand: invocation.command.name),
        verify: commandLine("verify", for: store.name),
        restore: commandLine("rollback", for: store.name),
        migrate: commandLine("migrate", for: store.name),
        diff: commandLine("diff", for: store.name),
        encrypt: commandLine("migrate", for: store.name, "--encrypt")
      ),
      consequence: consequence
    )
  }

  /// Returns the report on a store after an error.
  func failure(
    _ error: any Error,
    _ store: StoreMaintenance,
    consequence: String = "Nothing was changed."
  ) -> StoreReport {
    let advice = advice(error, store, consequence: consequence)
    var report = StoreReport(store.name, MigrationRunner.Outcome(advice.kind), advice.outcomeWords)
    report.advice = advice
    return report
  }
}

extension ErrorAdvice.Commands.Name {
  /// Returns `nil` for a command that advice does not name.
  fileprivate init?(ofCommand name: String) {
    switch name {
    case "verify": self = .verify
    case "rollback": self = .restore
    case "migrate": self = .migrate
    case "diff": self = .diff
    default: return nil
    }
  }
}

extension ErrorAdvice {
  /// The outcome in the table.
  var outcomeWords: String {
    switch kind {
    case .failed: "failed, unchanged"
    case .refused: "refused"
    case .damaged: "damaged"
    case .notFound: "not found"
    }
  }
}
