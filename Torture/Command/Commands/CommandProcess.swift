import Fief
import FiefCommands
import FiefTorture
import Foundation

/// A process that runs one command of the runner, or does one thing with the library, and prints `outcome N`.
struct CommandProcess {
  enum Command: String, CaseIterable, Sendable {
    case migrate, rollback, plan, rehearse, verify, compact, backup, restore, status, schema, diff
    /// The migration, the compaction and the backup of the library itself.
    case open
    case compactOpen = "compact-open"
    case backupOpen = "backup-open"

    /// Whether it begins with a migrated store; otherwise with the old one.
    var beginsMigrated: Bool { self == .rollback || self == .restore }
    /// Whether the store has the new version when it is done.
    var endsMigrated: Bool { self == .migrate || self == .open }
    /// Whether it writes nothing to the file of the store.
    var isReadOnly: Bool { [.plan, .rehearse, .verify, .status, .schema, .diff].contains(self) }
    /// Whether it is done with a backup, which its report names.
    var reportsBackup: Bool { self == .migrate || self == .backup }
    /// Whether the migration's block runs.
    var hasPoints: Bool { [.migrate, .rehearse, .open].contains(self) }
  }

  /// The defects of the control.
  enum Defect: String, Sendable {
    /// Each step is a migration of its own.
    case steps
    /// A step catches what is thrown in it.
    case caught
  }

  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first,
      let command = Command(rawValue: arguments.text("command") ?? "")
    else { throw BrokenTest("usage: command DIRECTORY --command NAME") }
    let defect = arguments.text("defect").flatMap { Defect(rawValue: $0) }
    PlanPoints.set(
      arguments.text("fault").flatMap { PlanPoints.Fault(rawValue: $0) },
      at: arguments.number("at") ?? 0,
      catchesErrors: defect == .caught
    )
    let outcome = run(command, directory, defect)
    let counts = PlanPoints.counts
    say("points \(counts.all) \(counts.throwing)")
    say("outcome \(outcome.rawValue)")
  }

  private static func run(_ command: Command, _ directory: String, _ defect: Defect?)
    -> MigrationRunner.Outcome
  {
    func runner(_ words: String...) -> MigrationRunner.Outcome {
      MigrationRunner(PlanRepository(in: directory), name: "torture").run(
        words + ["--directory", directory, "--json"],
        output: { say("output \($0)".replacing("\n", with: " ")) },
        error: { say("output \($0)".replacing("\n", with: " ")) }
      )
    }
    switch command {
    case .migrate: return runner("migrate", "--yes")
    case .rollback: return runner("rollback", "--yes")
    case .plan: return runner("plan")
    case .rehearse: return runner("plan", "--rehearse")
    case .verify: return runner("verify")
    case .compact: return runner("compact")
    case .backup: return runner("backup")
    case .restore: return runner("restore", directory + "/copy", "--yes")
    case .status: return runner("status")
    case .schema: return runner("schema")
    case .diff: return runner("diff")
    case .open:
      return library(PlanRepository(in: directory, version: 4)) { repository in
        for version in defect == .steps ? [2, 3, 4] : [4] as [UInt64] {
          let step = PlanRepository(in: directory, version: version)
          if let error = step.store().openingError { throw error }
          step.close()
        }
      }
    case .compactOpen: return library(PlanRepository(in: directory, version: 1)) { try $0.compact() }
    case .backupOpen:
      return library(PlanRepository(in: directory, version: 1)) { repository in
        let copy = "\(directory)/\(PlanContent.madeName)"
        try? FileManager.default.removeItem(atPath: copy)
        try repository.backup(to: copy)
      }
    }
  }

  private static func library(_ repository: PlanRepository, _ body: (PlanRepository) throws -> Void)
    -> MigrationRunner.Outcome
  {
    defer { repository.close() }
    do {
      try body(repository)
      return .done
    } catch {
      say("output \(error)".replacing("\n", with: " "))
      return .failed
    }
  }

  /// Makes a store at version 1, and another one at version 4 with a backup of version 1; both with a copy beside them.
  static func prepare(_ directory: String) throws {
    for name in ["old", "new"] {
      let place = "\(directory)/\(name)"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let repository = PlanRepository(in: place, version: 1)
      try repository.fill()
      try repository.backup(to: place + "/copy")
      repository.close()
    }
    say("outcome \(run(.migrate, directory + "/new", nil).rawValue)")
  }

  static func showContent(of directory: String) { PlanContent(directory: directory).print { say($0) } }
}
