import Fief
import FiefConsole
import FiefMaintenance
import Foundation

extension RunnerSession {
  /// Reports the state of every store.
  func status() -> CommandReport {
    var report = CommandReport()
    report.outcomeHeading = "state"
    let parents = Set(stores.compactMap(parent))
    if parents.count == 1, let parent = parents.first {
      report.introduction = "Stores in \(Format.printable(parent))"
    }
    report.headings = [">version", ">declared", ">objects", ">size", "last backup"]
    if parents.count > 1 { report.headings.append("directory") }
    var isOutdated = false
    var isClear = false
    for store in stores {
      let state = store.state()
      if case .outdated = state { isOutdated = true }
      if let seen = state.inspection, store.needsEncrypting(seen) { isClear = true }
      report.stores.append(self.report(state, of: store))
    }
    report.overall = .worst(of: report.stores.map(\.outcome) + [.done])
    if isOutdated {
      report.closing.append(
        "'\(commandLine("plan"))' shows what a migration would do, '\(commandLine("migrate"))' runs it."
      )
    }
    if isClear {
      report.closing.append(
        "The repositories of 'unencrypted' stores have a key, so the application does not open them. If they were never "
          + "encrypted, '\(commandLine("migrate", for: nil, "--encrypt"))' encrypts them."
      )
    }
    return report
  }

  private func parent(of store: StoreMaintenance) -> String? {
    guard case .directory(let path) = store.place else { return nil }
    return (path as NSString).deletingLastPathComponent
  }

  private func report(_ state: StoreState, of store: StoreMaintenance) -> StoreReport {
    var report = StoreReport(store.name, .done, words(for: state))
    var backup: StoreBackup?
    var isUnknown = false
    var backupLines: [String] = []
    // A store in memory has no backups.
    if store.place != .memory {
      do { backup = try store.newestBackup(in: backups) } catch {
        isUnknown = true
        backupLines = ["The backups cannot be read:"] + StoreReport.lines(of: error)
      }
    }
    if case .unusable(let error) = state { report = failure(error, store) }
    if case .unusable = state { report.words = words(for: state) }
    switch state {
    case .newer(let seen): report = refused(state, newer(seen, store), store)
    case .differing(let seen): report = refused(state, differing(seen, store), store)
    default: break
    }
    report.lines += backupLines
    let seen = state.inspection
    if let seen, store.needsEncrypting(seen) { report.words += ", unencrypted" }
    if invocation.has("usage"), let seen { report.lines += UsageTable.lines(seen.usage).map { "  " + $0 } }
    addUsage(seen?.usage ?? .success(nil), to: &report)
    report.cells = [
      "version": seen.map { String($0.version) } ?? "-",
      "declared": String(store.declaredVersion),
      "objects": seen.map { Format.count($0.count) } ?? "-",
      "size": seen.map { Format.bytes($0.fileSize) } ?? "-",
      "last backup": backup.map { "\(Moment.text($0.date)), v\($0.version)" }
        ?? (isUnknown ? "unknown" : "none"),
      "directory": (try? store.directory()) ?? "",
    ]
    report.add("directory", .text(try? store.directory()))
    report.add("state", .string(state.name))
    report.add("stateInWords", .string(words(for: state)))
    report.add("version", seen.map { .unsigned($0.version) } ?? .null)
    report.add("declaredVersion", .unsigned(store.declaredVersion))
    report.add("objects", seen.map { .count($0.count) } ?? .null)
    report.add("bytes", seen.map { .count($0.fileSize) } ?? .null)
    report.add("format", seen.map { .integer(Int64($0.format)) } ?? .null)
    report.add("isEncrypted", seen.map { .bool($0.isEncrypted) } ?? .null)
    report.add("isInUse", seen.map { .bool($0.isInUse) } ?? .null)
    report.add("process", seen?.user.map { .integer(Int64($0)) } ?? .null)
    report.add("lastBackup", backup.map(Moment.document) ?? .null)
    report.add(
      "types",
      .array(
        (seen?.types ?? []).map {
          ["name": .string($0.name), "objects": .count($0.count), "bytes": .count($0.bytes)]
        }
      )
    )
    return report
  }

  private func addUsage(_ usage: Result<UsageRecord?, FiefError>, to report: inout StoreReport) {
    switch usage {
    case .success(let kept): report.add("usage", kept.map(UsageTable.document) ?? .null)
    case .failure(let error):
      report.add("usage", .null)
      report.add("usageError", .string(error.message))
    }
  }

  private func refused(_ state: StoreState, _ error: FiefError, _ store: StoreMaintenance) -> StoreReport {
    var report = failure(error, store)
    report.words = words(for: state)
    return report
  }

  /// Returns the state as a phrase, such as `not created yet`.
  func words(for state: StoreState) -> String {
    let words =
      switch state {
      case .missing: "not created yet"
      case .current: "up to date"
      case .outdated: "needs a migration"
      case .newer: "newer than this program"
      case .differing: "classes changed without a new version"
      case .memory: "in memory"
      case .unusable(let error): ErrorAdvice(error).kind == .damaged ? "damaged" : "cannot be opened"
      }
    guard let seen = state.inspection else { return words }
    if seen.isOpenHere { return words + ", open in this process" }
    guard seen.isInUse else { return words }
    return words + ", in use" + (seen.user.map { " by process \($0)" } ?? "")
  }

  /// Returns the error for a store with a newer version.
  func newer(_ seen: StoreInspection, _ store: StoreMaintenance) -> FiefError {
    FiefError(
      .versionTooLow,
      "The store has a higher schema version than the repository declares.",
      store: store.name,
      path: try? store.directory(),
      details: ["the store's version: \(seen.version)", "the declared version: \(store.declaredVersion)"]
    )
  }

  /// Returns the error for an unencrypted store whose repository specifies a key.
  func inClear(_ store: StoreMaintenance) -> FiefError {
    FiefError(
      .notEncrypted,
      "The store is unencrypted, but its repository has a key.",
      store: store.name,
      path: try? store.directory()
    )
  }

  /// Returns the error for a store whose classes have changed without a new version.
  func differing(_ seen: StoreInspection, _ store: StoreMaintenance) -> FiefError {
    FiefError(
      .migrationRequired,
      "The declared classes differ from the store's, but the schema version is the same.",
      store: store.name,
      path: try? store.directory(),
      details: (try? store.forecast(of: seen)).map { forecast in
        forecast.changes.map(\.difference) + forecast.losses.map(\.consequence)
      } ?? []
    )
  }
}

/// Formats dates for people and for documents.
enum Moment {
  /// Returns a date such as `2026-11-21 16:30 UTC`.
  static func text(_ date: Date) -> String {
    date.formatted(.iso8601).prefix(16).replacing("T", with: " ") + " UTC"
  }

  /// Returns a backup as part of a document.
  static func document(_ backup: StoreBackup) -> JSONValue {
    [
      "name": .string(backup.name), "path": .string(backup.path), "version": .unsigned(backup.version),
      "date": .string(backup.date.formatted(.iso8601)), "bytes": .count(backup.fileSize),
      "isReplaced": .bool(backup.isReplaced),
    ]
  }
}
