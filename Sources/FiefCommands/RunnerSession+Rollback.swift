import Fief
import FiefConsole
import FiefMaintenance
import Foundation

extension RunnerSession {
  private struct Return {
    let store: StoreMaintenance
    let backup: StoreBackup
    let seen: StoreInspection?
  }

  /// Restores backups.
  ///
  /// - Throws: ``UsageError`` if `--to` matches several backups.
  func rollback() throws(UsageError) -> CommandReport {
    var report = CommandReport()
    report.headings = [">from", ">to", "backup", "former store"]
    var reports: [String: StoreReport] = [:]
    var returns: [Return] = []
    for store in stores {
      let state = store.state()
      if case .memory = state {
        reports[store.name] = StoreReport(store.name, .nothingToDo, "in memory")
        continue
      }
      let all: [StoreBackup]
      do { all = try store.backups(in: backups) } catch {
        reports[store.name] = failure(error, store)
        continue
      }
      if let backup = try chosen(from: all, for: store, state.inspection?.version) {
        returns.append(Return(store: store, backup: backup, seen: state.inspection))
      } else {
        reports[store.name] = withoutBackup(store, all)
      }
    }
    if !returns.isEmpty, let refusal = confirmation(question(returns)) {
      report.overall = .refused
      report.closing = [refusal]
      for entry in returns {
        reports[entry.store.name] = StoreReport(entry.store.name, .refused, "not rolled back")
      }
    } else {
      for entry in returns { reports[entry.store.name] = rolledBack(entry) }
    }
    report.stores = stores.compactMap { reports[$0.name] }
    if report.stores.contains(where: { $0.outcome == .done }) {
      report.closing.append(
        "Start the release of the application that matches these versions: a newer release migrates again."
      )
    }
    return report
  }

  private func chosen(
    from all: [StoreBackup],
    for store: StoreMaintenance,
    _ version: UInt64?
  ) throws(UsageError) -> StoreBackup? {
    guard let wanted = invocation["to"] else {
      return all.first { backup in !backup.isReplaced && (version.map { backup.version < $0 } ?? true) }
    }
    if wanted.first == "v", let number = UInt64(wanted.dropFirst()) {
      return all.first { $0.version == number && !$0.isReplaced } ?? all.first { $0.version == number }
    }
    let matching = all.filter { $0.name.hasPrefix(wanted) }
    if let exact = matching.first(where: { $0.name == wanted }) { return exact }
    guard matching.count > 1 else { return matching.first }
    throw UsageError(
      "\(matching.count) backups of \(store.name) have names that begin with '\(Format.printable(wanted))': "
        + matching.map(\.name).joined(separator: ", ") + ".",
      command: "rollback"
    )
  }

  private func withoutBackup(_ store: StoreMaintenance, _ all: [StoreBackup]) -> StoreReport {
    let isAskedFor = invocation.values(of: "only").contains(store.name) || invocation.has("to")
    var report = StoreReport(
      store.name,
      isAskedFor ? .refused : .nothingToDo,
      invocation["to"].map { "no backup '\($0)'" } ?? "no backup of an older version"
    )
    report.lines = all.isEmpty ? [] : ["Available backups:"] + all.map { "  \($0.name)" }
    report.add("backups", .array(all.map(Moment.document)))
    return report
  }

  private func question(_ returns: [Return]) -> String {
    let list = returns.map { entry in
      let now = entry.seen.map { "version \($0.version)" } ?? "an unreadable store"
      return
        "\(entry.store.name) from \(now) to version \(entry.backup.version) of \(Moment.text(entry.backup.date))"
    }
    return "Go back: \(list.joined(separator: "; "))? Later data is kept only as a backup."
  }

  private func rolledBack(_ entry: Return) -> StoreReport {
    let progress = ProgressDisplay(entry.store.name, on: io.error)
    progress.begin("restoring \(entry.backup.name)")
    defer { progress.end() }
    return restored(entry.store, from: entry.backup.path, entry.seen, shown: entry.backup.name)
  }

  /// Replaces a store with a copy.
  func restored(
    _ store: StoreMaintenance,
    from path: String,
    _ seen: StoreInspection?,
    shown: String
  ) -> StoreReport {
    var report: StoreReport
    var restoration: Restoration?
    do {
      restoration = try store.restore(from: path, backupsIn: backups, keep: keep)
      report = StoreReport(store.name, .done, "restored")
      report.noteUnremoved(restoration?.unremoved ?? [])
    } catch {
      report = failure(error, store, consequence: "The store is unchanged.")
    }
    let replaced = restoration?.replaced.map { ($0 as NSString).lastPathComponent }
    report.cells = [
      "from": seen.map { String($0.version) } ?? "-",
      "to": restoration.map { String($0.version) } ?? "-",
      "backup": shown,
      "former store": replaced.map { "kept as \($0)" } ?? "-",
    ]
    report.add("fromVersion", seen.map { .unsigned($0.version) } ?? .null)
    report.add("toVersion", restoration.map { .unsigned($0.version) } ?? .null)
    report.add("source", .string(path))
    report.add("replaced", .text(restoration?.replaced))
    return report
  }
}
