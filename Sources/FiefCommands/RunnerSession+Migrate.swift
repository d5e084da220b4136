import Fief
import FiefConsole
import FiefMaintenance

extension RunnerSession {
  private struct Candidate {
    let store: StoreMaintenance
    let state: StoreState

    init(_ store: StoreMaintenance) {
      self.store = store
      state = store.state()
    }

    /// Whether the store is unencrypted although its repository specifies a key.
    var isClear: Bool { state.inspection.map(store.needsEncrypting) ?? false }
  }

  /// Migrates every store to the declared version.
  ///
  /// - Throws: ``UsageError`` if options exclude each other.
  func migrate() throws(UsageError) -> CommandReport {
    if invocation.has("encrypt"), invocation.has("even-if-in-use") {
      throw UsageError(
        "'--encrypt' and '--even-if-in-use' cannot be combined: a store in use cannot be encrypted.",
        command: invocation.command.name
      )
    }
    let candidates = stores.map { Candidate($0) }
    var report = CommandReport()
    report.headings = [">from", ">to", ">objects", ">time", "backup"]
    let due = candidates.filter(isDue)
    if !due.isEmpty, let refusal = confirmation(question(due)) {
      report.overall = .refused
      report.closing = [refusal]
      report.stores = candidates.map { skipped($0, isDue: "not migrated") }
      return report
    }
    report.stores = candidates.map { candidate in
      guard isDue(candidate), let seen = candidate.state.inspection else {
        return skipped(candidate, isDue: "")
      }
      return migrated(candidate.store, seen, encrypts: candidate.isClear)
    }
    let done = report.stores.filter { $0.outcome == .done }.count
    switch report.outcome {
    case .nothingToDo: report.closing = [nothingToDo(candidates)]
    case .done:
      let isMigration = due.contains { $0.state.inspection?.version != $0.store.declaredVersion }
      report.closing = [
        Self.stores(done)
          + (isMigration ? " migrated. '\(commandLine("rollback"))' undoes it." : " encrypted.")
      ]
      if !invocation.has("no-backup"), due.contains(where: \.isClear) {
        report.closing.append("Backups from before a store was encrypted are unencrypted.")
      }
    default:
      report.closing = [
        "\(Self.stores(done)) migrated. The reports above explain the others."
      ]
    }
    if let sentence = openedBefore(candidates) { report.closing.append(sentence) }
    return report
  }

  /// Returns whether a store should be migrated or encrypted. An unencrypted store that should be encrypted
  /// is skipped if `--encrypt` is missing.
  private func isDue(_ candidate: Candidate) -> Bool {
    switch candidate.state {
    case .outdated: !candidate.isClear || invocation.has("encrypt")
    case .current: candidate.isClear && invocation.has("encrypt")
    default: false
    }
  }

  /// Returns a note about stores that are up to date because this process had opened them before it started
  /// the runner.
  private func openedBefore(_ candidates: [Candidate]) -> String? {
    let names = candidates.filter { candidate in
      guard case .current(let seen) = candidate.state else { return false }
      return seen.isOpenHere
    }.map(\.store.name)
    if names.isEmpty { return nil }
    return
      "This process had \(names.joined(separator: ", ")) open before the runner ran. Opening a store migrates it, "
      + "without a backup: run the runner first, or set StoreOptions.migratesOnOpen to false."
  }

  /// Returns the sentence that reports that there is nothing to do. If no store was found, the sentence
  /// mentions this, because the directory may be wrong.
  private func nothingToDo(_ candidates: [Candidate]) -> String {
    let places = candidates.filter { if case .memory = $0.state { false } else { true } }
    let isNone = places.allSatisfy { if case .missing = $0.state { true } else { false } }
    guard isNone, !places.isEmpty else { return "Every store is up to date: there was nothing to do." }
    return
      "There was nothing to do: no store exists yet. If the stores should exist, specify their "
      + "--directory."
  }

  static func stores(_ count: Int) -> String { count == 1 ? "1 store" : "\(count) stores" }

  private func question(_ due: [Candidate]) -> String {
    let list = due.map { candidate in
      let version = candidate.state.inspection?.version ?? 0
      let declared = candidate.store.declaredVersion
      return candidate.store.name + (version == declared ? "" : " \(version) to \(declared)")
    }
    let encrypted = due.filter(\.isClear).map(\.store.name).joined(separator: ", ")
    let backup =
      invocation.has("no-backup")
      ? "NO backup is made." : "A backup of each is made first."
    return "Migrate \(Self.stores(due.count)) (\(list.joined(separator: ", ")))? "
      + (encrypted.isEmpty ? "" : "Encrypts \(encrypted). ") + backup
  }

  /// Asks a question. Returns `nil` for yes, and otherwise the sentence that explains why nothing is done.
  func confirmation(_ question: String) -> String? {
    switch io.confirm(question, isYes: invocation.has("yes")) {
    case .yes: nil
    case .no: "Not confirmed: nothing was changed."
    case .cannotAsk:
      "Nothing was changed: no terminal is available. Use --yes to continue without a question."
    }
  }

  private func skipped(_ candidate: Candidate, isDue words: String) -> StoreReport {
    let store = candidate.store
    var report: StoreReport
    switch candidate.state {
    case .newer(let seen): report = failure(newer(seen, store), store)
    case .differing(let seen): report = failure(differing(seen, store), store)
    case .unusable(let error): report = failure(error, store)
    case .outdated where isDue(candidate), .current where isDue(candidate):
      report = StoreReport(store.name, .refused, words)
    case .outdated,
      .current where candidate.isClear:
      report = failure(inClear(store), store)
    case .missing, .current, .memory:
      report = StoreReport(store.name, .nothingToDo, self.words(for: candidate.state))
    }
    report.cells = cells(candidate.state.inspection, store)
    report.add("state", .string(candidate.state.name))
    return report
  }

  private func cells(_ seen: StoreInspection?, _ store: StoreMaintenance) -> [String: String] {
    [
      "from": seen.map { String($0.version) } ?? "-", "to": String(store.declaredVersion),
      "objects": seen.map { Format.count($0.count) } ?? "-", "time": "-", "backup": "-",
    ]
  }

  private func migrated(_ store: StoreMaintenance, _ seen: StoreInspection, encrypts: Bool) -> StoreReport {
    let isOutdated = seen.version != store.declaredVersion
    if seen.isOpenHere {
      // Checked before a backup is made. `--even-if-in-use` concerns only other processes.
      let error = FiefError(.storeInUse, "This process has the store open.", store: store.name)
      var report = failure(error, store)
      report.cells = cells(seen, store)
      report.add("state", isOutdated ? "outdated" : "current")
      return report
    }
    if !invocation.has("no-backup"), var refusal = refusalWithoutRoom(store, seen, isMigration: true) {
      refusal.cells = cells(seen, store)
      return refusal
    }
    let progress = ProgressDisplay(store.name, on: io.error)
    defer { progress.end() }
    var backup: StoreBackup?
    var report: StoreReport
    var dropped: [DroppedValues] = []
    var after: StoreInspection? = seen
    var hasBegun = false
    let begun = ContinuousClock.now
    do {
      if !invocation.has("even-if-in-use") { try store.refuseUse(of: try store.directory()) }
      if !invocation.has("no-backup") {
        progress.begin("making a backup")
        backup = try store.backup(in: backups)
      }
      progress.begin(
        isOutdated ? "migrating from version \(seen.version) to \(store.declaredVersion)" : "encrypting"
      )
      hasBegun = true
      dropped = try store.migrate(encrypts: encrypts) { progress.show($0) }
      let done = [isOutdated ? "migrated" : nil, encrypts ? "encrypted" : nil].compactMap { $0 }
      progress.begin(done.joined(separator: " and "))
      // Old backups are removed only now, so that failed attempts do not replace good backups.
      report = StoreReport(store.name, .done, done.joined(separator: " and "))
      report.lines += dropped.map(\.description)
      if let backup { report.noteUnremoved(store.removeOldest(beyond: keep, but: backup, in: backups)) }
    } catch {
      if hasBegun { after = state(of: store, before: seen, after: error, encrypts: encrypts) }
      report = failure(
        error,
        store,
        consequence: consequence(seen, after) + (after == nil && backup != nil ? " The backup was kept." : "")
      )
      if isUnchanged(seen, after) {
        backup = withoutNeedlessBackup(backup, of: store, after: report)
      } else if report.outcome == .failed {
        report.words = "failed"
      }
    }
    let time = ContinuousClock.now - begun
    if report.outcome == .done {
      do { after = try store.inspect() ?? seen } catch {
        report.lines += ["The migrated store cannot be inspected:", "  \(error)"]
      }
    }
    report.cells = cells(seen, store)
    report.cells["objects"] = after.map { Format.count($0.count) } ?? "-"
    report.cells["time"] = Format.duration(time)
    report.cells["backup"] = backup?.name ?? (invocation.has("no-backup") ? "none" : "-")
    let isCurrent = report.outcome == .done || after?.version == store.declaredVersion
    report.add("state", .string(after == nil ? "unknown" : isCurrent ? "current" : "outdated"))
    report.add("isEncrypted", after.map { JSONValue.bool($0.isEncrypted) } ?? .null)
    report.add("fromVersion", .unsigned(seen.version))
    report.add("toVersion", .unsigned(store.declaredVersion))
    report.add("objects", after.map { JSONValue.count($0.count) } ?? .null)
    report.add("bytes", after.map { JSONValue.count($0.fileSize) } ?? .null)
    report.add("seconds", .double(time.seconds))
    report.add("backup", backup.map(Moment.document) ?? .null)
    report.add(
      "dropped",
      .array(
        dropped.map {
          [
            "type": .string($0.type), "property": .text($0.property),
            "likelyNames": .array($0.likelyNames.map { .string($0) }),
          ]
        }
      )
    )
    return report
  }

  /// Returns the state of a store after a failed attempt, or `nil` if it is unknown.
  ///
  /// A failed migration leaves the store unchanged. If it also encrypts the store, it makes two commits, of
  /// which the first may have succeeded, so the store is read again.
  private func state(
    of store: StoreMaintenance,
    before seen: StoreInspection,
    after error: any Error,
    encrypts: Bool
  ) -> StoreInspection? {
    if (error as? FiefError)?.code == .unknownOutcome { return nil }
    return encrypts ? try? store.inspect() : seen
  }

  private func isUnchanged(_ seen: StoreInspection, _ now: StoreInspection?) -> Bool {
    now?.version == seen.version && now?.isEncrypted == seen.isEncrypted
  }

  /// Returns the sentence about the state of a store after a failed attempt.
  private func consequence(_ seen: StoreInspection, _ now: StoreInspection?) -> String {
    guard let now else { return "The state of the store is unknown: it could not be read after the failure." }
    return isUnchanged(seen, now)
      ? "The store is unchanged, at version \(seen.version)."
      : "The store is now \(now.isEncrypted ? "encrypted" : "unencrypted"), at version \(now.version)."
  }

  /// Removes the backup of an attempt that has changed nothing, unless the disk itself may be faulty.
  private func withoutNeedlessBackup(
    _ backup: StoreBackup?,
    of store: StoreMaintenance,
    after report: StoreReport
  ) -> StoreBackup? {
    guard let backup, let advice = report.advice else { return nil }
    if advice.kind == .damaged || advice.code == FiefError.Code.inputOutput.rawValue { return backup }
    // A backup that cannot be removed remains.
    do { try store.remove(backup) } catch { return backup }
    return nil
  }

  /// Returns the report on a store whose backup does not fit on its disk, or `nil` if it fits.
  func refusalWithoutRoom(
    _ store: StoreMaintenance,
    _ seen: StoreInspection,
    isMigration: Bool = false
  ) -> StoreReport? {
    guard let place = try? store.backupDirectory(in: backups), let directory = try? store.directory() else {
      return nil
    }
    // The migration itself needs space on the store's disk, too.
    let needed = seen.usedBytes + (isMigration && FreeSpace.isShared(place, directory) ? 1 << 20 : 0)
    guard let free = FreeSpace.bytes(at: place), free < needed else { return nil }
    let error = FiefError(
      .storeFull,
      "The disk does not have enough space for a backup.",
      store: store.name,
      path: place,
      details: ["needed: about \(Format.bytes(needed))", "free: \(Format.bytes(free))"]
    )
    var report = failure(error, store)
    report.outcome = .refused
    report.words = "refused, no space"
    return report
  }
}
