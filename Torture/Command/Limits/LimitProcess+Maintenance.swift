import Fief
import FiefTorture
import Foundation

/// Copies, compactions, openings, migrations, and a write to two stores.
extension LimitProcess {
  func lookAfter(_ codes: Set<FiefError.Code>) -> Bool {
    let repository = stores.repository()
    say("doing maintenance")
    let isChecked = stores.attempt("check", codes) {
      for problem in try repository.check().problems { stores.wrong("check: \(problem)") }
    }
    let copy = "\(stores.directory)/copies/\(stores.nextID())"
    let isCopied = stores.attempt("backup", codes) { try repository.backup(to: copy) }
    if !isCopied, FileManager.default.fileExists(atPath: copy) { stores.wrong("a failed backup is there") }
    try? FileManager.default.removeItem(atPath: copy)
    let isCompacted = stores.attempt("compaction", codes) { try repository.compact() }
    return isChecked && isCopied && isCompacted
  }

  /// Opens, migrates and closes stores, and writes to two at once.
  func useOthers(_ codes: Set<FiefError.Code>) -> Bool {
    say("doing openings")
    let name = "other-\(stores.nextID())"
    let (other, newer) = (stores.repository(name), stores.repository(name, version: 2))
    defer { try? FileManager.default.removeItem(atPath: "\(stores.directory)/\(name)") }
    defer { newer.close() }
    var isDone = stores.attempt("opening", codes, store: name) { try other.open() }
    other.close()
    isDone = writeToBoth(codes) && isDone
    say("doing a migration")
    isDone = stores.attempt("migration", codes, store: name) { try newer.open() } && isDone
    newer.close()
    say("doing a dynamic store")
    isDone =
      stores.attempt("dynamic store", codes) {
        let store = try DynamicStore(directory: "\(stores.directory)/first")
        defer { store.close() }
        _ = try store.count(of: "Item")
      } && isDone
    return isDone
  }

  /// Writes to two stores: to both, or to none. Where one gets its part later, the others wait for that.
  private func writeToBoth(_ codes: Set<FiefError.Code>) -> Bool {
    say("doing a write to two stores")
    let id = stores.nextID()
    let both = [stores.repository(), stores.repository("second")]
    do {
      try StoreManager(repositories: both).write(to: both) { write in
        for repository in both {
          try write.transaction(of: repository).add(LimitedStores.item(id), update: .all)
        }
      }
    } catch {
      if (error as? FiefError)?.code == .unfinishedWrite {
        stores.noteUnfinished([id], in: both.map(\.name))
      }
      // The error names the store that could not be written to.
      let store = (error as? FiefError)?.store == "second" ? "second" : "first"
      let codes = codes.union([.unfinishedWrite, .blockedByUnfinishedWrite])
      return stores.attempt("write to two stores", codes, store: store) { throw error }
    }
    for repository in both { stores.acknowledge([id], in: repository.name) }
    stores.count("write to two stores done")
    return true
  }
}
