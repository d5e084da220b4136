import Fief
import FiefMaintenance
import Foundation

/// The content of the store of the plan, of its backups and of a copy beside it, as text, read by a process that has no faults.
package struct PlanContent {
  /// The name of the directory of the copy that the library makes, beside the store.
  package static let madeName = "made"

  /// What the store has, with its version.
  package private(set) var text = ""
  /// The same of each backup, by name.
  package private(set) var backups: [(name: String, text: String)] = []
  package private(set) var problems: [String] = []
  /// The content of the copy that the library makes; empty where it cannot be read, and nil where there is none.
  package private(set) var made: String?
  package private(set) var madeProblems: [String] = []

  package init(directory: String) {
    do {
      text = try Self.read("\(directory)/\(PlanRepository.name)", &problems)
      for backup in try StoreMaintenance(PlanRepository(in: directory)).backups() {
        backups.append((backup.name, try Self.read(backup.path, isReadOnly: true, &problems)))
      }
    } catch { problems.append("\(error)") }
    let path = "\(directory)/\(Self.madeName)"
    guard FileManager.default.fileExists(atPath: path) else { return }
    made = ""
    do { made = try Self.read(path, isReadOnly: true, &madeProblems) } catch {
      madeProblems.append("\(error)")
    }
  }

  private static func read(_ path: String, isReadOnly: Bool = false, _ problems: inout [String]) throws
    -> String
  {
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
    for problem in madeProblems { say("made-problem \(problem)".replacing("\n", with: " ")) }
    say(text + "end")
    for (name, text) in backups { say("backup \(name)\n\(text)end") }
    if let made { say("made\n\(made)end") }
  }
}
