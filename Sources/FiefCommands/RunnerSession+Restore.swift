import Fief
import FiefConsole
import FiefMaintenance
import Foundation

extension RunnerSession {
  /// Replaces a store with a copy of a store.
  ///
  /// - Throws: ``UsageError`` if it is not clear which store is meant.
  func restore() throws(UsageError) -> CommandReport {
    let from = invocation.word(0) ?? ""
    let (store, path) = try target(of: from)
    var report = CommandReport()
    report.headings = [">from", ">to", "backup", "former store"]
    let seen = store.state().inspection
    if let version = store.version(ofCopy: path), version > store.declaredVersion {
      report.closing = [
        "The copy has version \(version), which is newer than this program's \(store.declaredVersion): it needs a "
          + "newer release of the application."
      ]
    }
    let question =
      "Replace \(store.name) with \(Format.printable(path))"
      + "\(seen.map { " (version \($0.version), \(Format.count($0.count)) objects)" } ?? "")?"
    if let refusal = confirmation("\(question) The store is kept as a backup.") {
      report.overall = .refused
      report.closing.append(refusal)
      report.stores = [StoreReport(store.name, .refused, "not restored")]
      return report
    }
    let progress = ProgressDisplay(store.name, on: io.error)
    progress.begin("restoring")
    let restored = restored(store, from: path, seen, shown: (path as NSString).lastPathComponent)
    progress.end()
    report.stores = [restored]
    return report
  }

  /// Returns the store, and the directory of the copy.
  private func target(of from: String) throws(UsageError) -> (StoreMaintenance, String) {
    let isPath = from.contains("/") || FileManager.default.fileExists(atPath: from)
    if !isPath {
      for store in stores {
        let found: StoreBackup?
        do { found = try store.backups(in: backups).first { $0.name == from } } catch {
          let reason = StoreReport.lines(of: error).joined()
          throw UsageError("The backups of \(store.name) cannot be read:\(reason)", command: "restore")
        }
        if let found { return (store, found.path) }
      }
    }
    guard FileManager.default.fileExists(atPath: from) else {
      throw UsageError(
        "No directory or backup '\(Format.printable(from))' exists.",
        command: "restore"
      )
    }
    // The path of a data file stands for the store's directory.
    var path = URL(fileURLWithPath: from).standardizedFileURL.path
    if (path as NSString).lastPathComponent == "data.mdb" {
      path = (path as NSString).deletingLastPathComponent
    }
    if stores.contains(where: { isPlace(of: $0, path) }) {
      throw UsageError("'\(Format.printable(from))' is the store itself, not a copy.", command: "restore")
    }
    if stores.count == 1, let store = stores.first { return (try own(store, path, from), path) }
    let parents = [path, (path as NSString).deletingLastPathComponent].map {
      ($0 as NSString).lastPathComponent
    }
    let matching = stores.filter { parents.contains($0.name) }
    guard matching.count == 1, let store = matching.first else {
      throw UsageError(
        "It is unclear which store '\(Format.printable(from))' belongs to: name the store with --only.",
        command: "restore"
      )
    }
    return (try own(store, path, from), path)
  }

  /// Whether a store is in a directory, after resolving links.
  private func isPlace(of store: StoreMaintenance, _ path: String) -> Bool {
    guard case .directory(let directory) = store.place else { return false }
    func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
    return real(directory) == real(path)
  }

  /// Returns `store` after checking that the copy shares a type with it or cannot be read.
  ///
  /// - Throws: ``UsageError`` if the copy belongs to a different store.
  private func own(_ store: StoreMaintenance, _ path: String, _ from: String) throws(UsageError)
    -> StoreMaintenance
  {
    guard store.isForeign(path) else { return store }
    throw UsageError(
      "'\(Format.printable(from))' is a copy of another store: it has no types of \(store.name).",
      command: "restore"
    )
  }
}
