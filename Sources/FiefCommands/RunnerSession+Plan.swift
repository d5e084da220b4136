import Fief
import FiefConsole
import FiefMaintenance

extension RunnerSession {
  /// Reports the effects of migrating every store.
  func plan() -> CommandReport {
    var report = CommandReport()
    report.stores = stores.map(planned)
    if report.outcome == .nothingToDo { report.closing = ["There is nothing to migrate."] }
    if report.outcome == .done {
      report.closing = ["Nothing was changed. '\(commandLine("migrate"))' runs it, after making backups."]
    }
    return report
  }

  private func planned(_ store: StoreMaintenance) -> StoreReport {
    let state = store.state()
    switch state {
    case .outdated(let seen),
      .current(let seen) where store.needsEncrypting(seen):
      do { return try planned(store, seen, try store.forecast(of: seen)) } catch {
        return failure(error, store)
      }
    case .missing, .current, .memory:
      var report = StoreReport(store.name, .nothingToDo, words(for: state))
      report.lines = [words(for: state) + ": nothing to do."]
      report.add("state", .string(state.name))
      return report
    case .newer(let seen): return failure(newer(seen, store), store)
    case .differing(let seen): return failure(differing(seen, store), store)
    case .unusable(let error): return failure(error, store)
    }
  }

  private func planned(
    _ store: StoreMaintenance,
    _ seen: StoreInspection,
    _ forecast: MigrationForecast
  ) throws -> StoreReport {
    let encrypts = store.needsEncrypting(seen)
    let isCurrent = seen.version == store.declaredVersion
    var report = StoreReport(store.name, .done, isCurrent ? "unencrypted" : "needs a migration")
    if encrypts {
      report.lines = [
        "The store is unencrypted, but its repository has a key. If it was never encrypted, "
          + "'\(commandLine("migrate", for: store.name, "--encrypt"))' encrypts it."
      ]
    }
    report.lines += lines(for: forecast)
    if seen.isOpenHere {
      report.lines.append(
        "This process has the store open: close it before you migrate it."
      )
    }
    if seen.isInUse {
      report.lines.append("A process has the store open\(seen.user.map { " (\($0))" } ?? ""): stop it first.")
    }
    report.add("state", .string(isCurrent ? "current" : "outdated"))
    report.add("needsEncrypting", .bool(encrypts))
    report.members += members(of: forecast)
    guard invocation.has("rehearse") else { return report }
    let progress = ProgressDisplay(store.name, on: io.error)
    progress.begin("rehearsing on a copy")
    defer { progress.end() }
    do {
      let rehearsal = try store.rehearse { progress.show($0) }
      report.lines += lines(for: rehearsal, forecast)
      report.add("rehearsal", document(rehearsal, forecast))
      if !rehearsal.problems.isEmpty { report.outcome = .failed }
    } catch {
      let failed = failure(error, store, consequence: "This was a rehearsal: the store is unchanged.")
      report.outcome = failed.outcome
      report.advice = failed.advice
      report.lines.append("The rehearsal failed.")
    }
    return report
  }

  private func lines(for forecast: MigrationForecast) -> [String] {
    var lines = ["from version \(forecast.fromVersion) to \(forecast.toVersion)"]
    if !forecast.steps.isEmpty {
      lines.append("Steps:")
      for step in forecast.steps { lines.append("  \(step.version)  \(step.name): \(step.description)") }
    } else if forecast.hasBlock {
      lines.append("The repository's migration block runs; its effects are unknown.")
    }
    if !forecast.changes.isEmpty { lines.append("Differences:") }
    for change in forecast.changes {
      lines.append("  \(change.difference)")
      lines.append("    \(change.consequence)")
    }
    lines += wordsOfExtent(forecast)
    let free = forecast.freeBytes.map { "\(Format.bytes($0)) are free" } ?? "the free space is unknown"
    lines.append(
      "A backup takes about \(Format.bytes(forecast.backupBytes)), and the store may grow by "
        + "\(Format.bytes(forecast.growthBytes)); \(free)."
    )
    if let free = forecast.freeBytes, free < forecast.backupBytes + forecast.growthBytes {
      lines.append("This may not be enough. A rehearsal shows the actual growth.")
    }
    return lines
  }

  /// Returns the extent of a migration's changes, as far as it is known without running the migration. The
  /// extent of a block's changes is unknown.
  private func wordsOfExtent(_ forecast: MigrationForecast) -> [String] {
    let affected = forecast.affectedObjects
    let objects =
      (affected == 1 ? "1 object is of a type" : "\(Format.count(affected)) objects are of types")
      + " with changes beyond the catalogue."
    guard forecast.hasBlock else { return [objects] }
    let block =
      invocation.has("rehearse")
      ? "A block also runs." : "A block runs; try a rehearsal ('\(commandLine("plan")) --rehearse')."
    return affected == 0 ? [block] : [objects, block]
  }

  private func lines(for rehearsal: Rehearsal, _ forecast: MigrationForecast) -> [String] {
    let count = { (types: [StoreInspection.TypeCount]) in types.reduce(0) { $0 + $1.count } }
    var lines = [
      "Rehearsed on a copy: \(Format.duration(rehearsal.migrating)) to migrate, "
        + "\(Format.duration(rehearsal.copying)) to copy, \(Format.duration(rehearsal.checking)) to check; "
        + "\(Format.bytes(rehearsal.bytesBefore)) became \(Format.bytes(rehearsal.bytesAfter)), "
        + "\(Format.count(count(rehearsal.before))) objects became \(Format.count(count(rehearsal.after))).",
      rehearsal.problems.isEmpty
        ? "The migrated copy is intact." : "The migrated copy has faults, so the migration must not run:",
    ]
    lines += rehearsal.problems.prefix(20).map { "  \($0)" }
    lines += rehearsal.findings.map { $0.sentence(hasBlock: forecast.hasBlock) }
    return lines
  }

  private func members(of forecast: MigrationForecast) -> [JSONValue.Member] {
    [
      .init("fromVersion", .unsigned(forecast.fromVersion)),
      .init("toVersion", .unsigned(forecast.toVersion)),
      .init("hasBlock", .bool(forecast.hasBlock)),
      .init(
        "steps",
        .array(
          forecast.steps.map {
            [
              "version": .unsigned($0.version), "name": .string($0.name),
              "description": .string($0.description),
            ]
          }
        )
      ),
      .init("changes", .array(forecast.changes.map(document))),
      // The number of objects that a block changes is unknown.
      .init(
        "affectedObjects",
        forecast.hasBlock && forecast.affectedObjects == 0 ? .null : .count(forecast.affectedObjects)
      ),
      .init("backupBytes", .count(forecast.backupBytes)), .init("growthBytes", .count(forecast.growthBytes)),
      .init("freeBytes", forecast.freeBytes.map { .count($0) } ?? .null),
    ]
  }

  /// Returns a difference as part of a document.
  func document(_ change: SchemaChange) -> JSONValue {
    [
      "type": .string(change.type), "difference": .string(change.difference),
      "effect": .string(change.effect.rawValue), "objects": .count(change.objects),
      "consequence": .string(change.consequence),
    ]
  }

  private func document(_ rehearsal: Rehearsal, _ forecast: MigrationForecast) -> JSONValue {
    func types(_ counts: [StoreInspection.TypeCount]) -> JSONValue {
      .array(counts.map { ["name": .string($0.name), "objects": .count($0.count)] })
    }
    return [
      "copyingSeconds": .double(rehearsal.copying.seconds),
      "migratingSeconds": .double(rehearsal.migrating.seconds),
      "checkingSeconds": .double(rehearsal.checking.seconds),
      "bytesBefore": .count(rehearsal.bytesBefore), "bytesAfter": .count(rehearsal.bytesAfter),
      "before": types(rehearsal.before), "after": types(rehearsal.after),
      "problems": .array(rehearsal.problems.map { .string($0) }),
      "findings": .array(
        rehearsal.findings.map {
          [
            "type": .string($0.type), "property": .text($0.property), "newName": .text($0.newName),
            "isLoss": .bool($0.isLoss), "objects": $0.objects.map { .count($0) } ?? .null,
            "sentence": .string($0.sentence(hasBlock: forecast.hasBlock)),
          ]
        }
      ),
    ]
  }
}
