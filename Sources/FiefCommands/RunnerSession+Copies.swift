import Fief
import FiefConsole
import FiefMaintenance

extension RunnerSession {
  /// Makes a backup of every store.
  func backup() -> CommandReport {
    var report = CommandReport()
    report.headings = [">version", ">size", ">time", "backup"]
    report.stores = stores.map { store in
      let progress = ProgressDisplay(store.name, on: io.error)
      progress.begin("making a backup")
      defer { progress.end() }
      return backedUp(store)
    }
    return report
  }

  private func backedUp(_ store: StoreMaintenance) -> StoreReport {
    if store.place == .memory { return StoreReport(store.name, .nothingToDo, "in memory") }
    let begun = ContinuousClock.now
    do {
      guard let seen = try store.inspect() else {
        return StoreReport(store.name, .nothingToDo, "not created yet")
      }
      if let refusal = refusalWithoutRoom(store, seen) { return refusal }
      let backup = try store.backup(in: backups)
      var report = StoreReport(store.name, .done, "done")
      report.noteUnremoved(store.removeOldest(beyond: keep, but: backup, in: backups))
      report.cells = [
        "version": String(backup.version), "size": Format.bytes(backup.fileSize),
        "time": Format.duration(ContinuousClock.now - begun), "backup": backup.name,
      ]
      report.add("backup", Moment.document(backup))
      return report
    } catch {
      return failure(error, store)
    }
  }

  /// Makes the file of every store as small as its contents.
  func compact() -> CommandReport {
    var report = CommandReport()
    report.headings = [">before", ">after", ">time"]
    report.stores = stores.map { store in
      let progress = ProgressDisplay(store.name, on: io.error)
      progress.begin("compacting")
      defer { progress.end() }
      return compacted(store)
    }
    return report
  }

  private func compacted(_ store: StoreMaintenance) -> StoreReport {
    if store.place == .memory { return StoreReport(store.name, .nothingToDo, "in memory") }
    let begun = ContinuousClock.now
    do {
      guard let sizes = try store.compact() else {
        return StoreReport(store.name, .nothingToDo, "not created yet")
      }
      var report = StoreReport(store.name, .done, "compacted")
      report.cells = [
        "before": Format.bytes(sizes.before), "after": Format.bytes(sizes.after),
        "time": Format.duration(ContinuousClock.now - begun),
      ]
      report.add("bytesBefore", .count(sizes.before))
      report.add("bytesAfter", .count(sizes.after))
      return report
    } catch {
      return failure(error, store, consequence: "The store is unchanged.")
    }
  }
}
