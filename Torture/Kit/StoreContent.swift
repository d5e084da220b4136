import Fief
import Foundation

/// The content of the workload's stores and of its backup as text, and whether they are consistent, read by a process that has no
/// faults.
package struct StoreContent {
  /// The content of both stores; a store that was never created has none.
  package private(set) var text = ""
  package private(set) var problems: [String] = []
  /// The content of the backup; empty where it cannot be read, and nil where there is none.
  package private(set) var backup: String?
  package private(set) var backupProblems: [String] = []

  package init(directory: String) {
    for name in ["first", "second"] { read(name, "\(directory)/\(name)") }
    readBackup("\(directory)/\(TortureSteps.backupName)")
  }

  /// The defect of a control: a store that cannot be opened is deleted.
  package enum Defect: String, Sendable { case deletes }

  /// Opens the stores, which completes what a crash has left, and closes them.
  package static func open(directory: String, _ defect: Defect? = nil) {
    for name in ["first", "second"] {
      guard let repository = repository(name, "\(directory)/\(name)") else { continue }
      let error = repository.store().openingError
      repository.close()
      guard error != nil, defect == .deletes else { continue }
      try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }
  }

  /// The repository of a store in the version that the store has; nil where the store was never made.
  private static func repository(_ name: String, _ path: String) -> TortureRepository? {
    let version = (try? Store.schemaVersion(at: path)) ?? 0
    guard FileManager.default.fileExists(atPath: path + "/data.mdb") || version > 0 else { return nil }
    let directory = (path as NSString).deletingLastPathComponent
    return TortureRepository(name, in: directory, version: max(version, 1))
  }

  private mutating func read(_ name: String, _ path: String) {
    text += "== \(name)\n"
    do {
      guard let repository = Self.repository(name, path) else { return }
      if let error = repository.store().openingError { throw error }
      let report = try repository.check()
      problems += report.problems.map { "\(name): \($0)" }
      problems += report.unfinishedWrites.map { "\(name): an unfinished write: \($0)" }
      repository.close()
      try dump(path)
      try probe(repository)
    } catch {
      problems.append("\(name): \(error)")
    }
  }

  private mutating func dump(_ path: String) throws {
    let store = try DynamicStore(directory: path)
    defer { store.close() }
    text += try Self.text(of: store)
  }

  /// Opens the backup for reading only, which changes nothing in its directory: it can be restored afterwards as before.
  private mutating func readBackup(_ path: String) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    backup = ""
    do {
      let store = try DynamicStore(directory: path)
      defer { store.close() }
      backupProblems += try store.check().problems
      backup = try Self.text(of: store)
    } catch {
      backupProblems.append("\(error)")
    }
  }

  private static func text(of store: DynamicStore) throws -> String {
    var text = "version \(store.schemaVersion)\n"
    for type in ["Item", "JSONTreeNode", "Owner"] where store.types.contains(where: { $0.name == type }) {
      try store.forEach(ofType: type) { text += "\(type) \(try $0.json())\n" }
    }
    return text
  }

  /// Writes to the store, and undoes that.
  private mutating func probe(_ repository: TortureRepository) throws {
    let name = repository.version == 1 ? "old" : "new"
    if repository.version == 1 {
      try repository.write { try $0.create(TortureOwner.self, value: ["id": -1, "name": name]) }
      try repository.write { try $0.delete(ofType: TortureOwner.self, forPrimaryKeys: [-1]) }
    } else {
      try repository.write { try $0.create(NewerOwner.self, value: ["id": -1, "name": name]) }
      try repository.write { try $0.delete(ofType: NewerOwner.self, forPrimaryKeys: [-1]) }
    }
    let report = try repository.check()
    problems += report.problems.map { "\(repository.name), after a write: \($0)" }
    repository.close()
  }
}
