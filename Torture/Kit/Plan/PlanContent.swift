import Fief
import FiefMaintenance
import Foundation

/// The content of the store of the plan and of its backups, as text, read by a process that has no faults.
package struct PlanContent {
  /// What the store has, with its version.
  package private(set) var text = ""
  /// The same of each backup, by name.
  package private(set) var backups: [(name: String, text: String)] = []
  package private(set) var problems: [String] = []

  package init(directory: String) {
    do {
      text = try read("\(directory)/\(PlanRepository.name)")
      for backup in try StoreMaintenance(PlanRepository(in: directory)).backups() {
        backups.append((backup.name, try read(backup.path, isReadOnly: true)))
      }
    } catch { problems.append("\(error)") }
  }

  private mutating func read(_ path: String, isReadOnly: Bool = false) throws -> String {
    let store = try DynamicStore(directory: path, isReadOnly: isReadOnly)
    defer { store.close() }
    let report = try store.check()
    problems += report.problems.map { "\(path): \($0)" }
    var text = "version \(store.schemaVersion)\n"
    for type in store.types where !type.isEmbedded {
      try store.forEach(ofType: type.name) { text += "\(type.name) \(try $0.json())\n" }
    }
    return text
  }

  package func print(_ say: (String) -> Void) {
    for problem in problems { say("problem \(problem)".replacing("\n", with: " ")) }
    say(text + "end")
    for (name, text) in backups { say("backup \(name)\n\(text)end") }
  }
}
