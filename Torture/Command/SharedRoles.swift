import FiefTorture
import Foundation

/// What processes of several tests do.
enum SharedRoles {
  static let all: [String: CallFaults.Role] = [
    "steps": { runSteps($0) },
    "open": { arguments in
      StoreContent.open(
        directory: arguments.rest.first ?? "",
        arguments.text("defect").flatMap { StoreContent.Defect(rawValue: $0) }
      )
    },
    "content": { showContent(of: $0.rest.first ?? "") },
  ]

  /// Does the steps, and says each that is done. One that fails is tried again, then with the stores opened again.
  private static func runSteps(_ arguments: Arguments) {
    let steps = TortureSteps(directory: arguments.rest.first ?? "")
    let attempts = arguments.number("attempts") ?? 1
    for (index, step) in steps.all.prefix(arguments.number("count") ?? .max).enumerated() {
      var attempt = 1
      while true {
        do {
          try step.body()
          break
        } catch {
          say("failed \(index) \(step.name): \(error)".replacing("\n", with: " "))
          guard attempt < attempts else { return say("stopped \(index)") }
          attempt += 1
          if attempt == 3 { steps.close() }
        }
      }
      say("done \(index)")
    }
    steps.close()
    say("end")
  }

  private static func showContent(of directory: String) {
    let content = StoreContent(directory: directory)
    for problem in content.problems { say("problem \(problem)".replacing("\n", with: " ")) }
    for problem in content.backupProblems { say("backup-problem \(problem)".replacing("\n", with: " ")) }
    say(content.text)
    if let backup = content.backup { say("== \(TortureSteps.backupName)\n\(backup)") }
  }
}
