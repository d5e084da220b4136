import Fief
import FiefConsole
import FiefMaintenance

extension RunnerSession {
  /// Checks every store for damage.
  func verify() -> CommandReport {
    var report = CommandReport()
    report.headings = [">records", ">entries", ">time"]
    report.stores = stores.map { store in
      let progress = ProgressDisplay(store.name, on: io.error)
      progress.begin("verifying")
      defer { progress.end() }
      return verified(store)
    }
    return report
  }

  private func verified(_ store: StoreMaintenance) -> StoreReport {
    if store.place == .memory { return StoreReport(store.name, .nothingToDo, "in memory") }
    let begun = ContinuousClock.now
    do {
      guard try store.inspect() != nil else {
        return StoreReport(store.name, .nothingToDo, "not created yet")
      }
      let isQuick = invocation.has("quick")
      let check = try store.check(isQuick: isQuick)
      let time = ContinuousClock.now - begun
      var report = StoreReport(
        store.name,
        check.isConsistent ? .done : .damaged,
        check.isConsistent ? (isQuick ? "structure is intact" : "intact") : "damaged"
      )
      if !check.isConsistent {
        let error = FiefError(
          .damagedStore,
          "The check found faults.",
          store: store.name,
          path: try? store.directory(),
          details: check.problems
        )
        report.advice = advice(error, store)
      }
      report.cells = [
        "records": isQuick ? "-" : Format.count(check.records), "entries": Format.count(check.entries),
        "time": Format.duration(time),
      ]
      report.add("records", isQuick ? .null : .count(check.records))
      report.add("entries", .count(check.entries))
      report.add("seconds", .double(time.seconds))
      report.add("problems", .array(check.problems.map { .string($0) }))
      return report
    } catch {
      return failure(error, store)
    }
  }
}
