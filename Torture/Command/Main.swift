import FiefTorture
import Foundation

/// The torture tests, and the processes that they run; see Torture/README.md.
@main
struct Main {
  static let tests: [any TortureTest.Type] = [
    CallFaults.self, CrashStates.self, PowerCuts.self, DiskFull.self, Damage.self, Processes.self,
    Isolation.self, LongLife.self, Queries.self, Models.self, Fuzzing.self, Kills.self, Commands.self,
    Compound.self, Limits.self, Keys.self, Trees.self, Imports.self,
  ]

  static func main() async {
    let arguments = Arguments(CommandLine.arguments.dropFirst())
    do {
      if let role = role(arguments.command) {
        try await role(arguments)
      } else if arguments.command == "run" {
        exit(try await run(arguments) ? 0 : 1)
      } else if arguments.command == "only", let test = try tests(named: arguments.rest).first {
        exit(try await runOnce(test, arguments) ? 0 : 1)
      } else {
        say("usage: fief-torture run [TEST …] | only TEST …; Torture/run knows the rest")
        exit(64)
      }
    } catch {
      say("failed: \(error)")
      exit(70)
    }
  }

  private static func role(_ name: String) -> CallFaults.Role? {
    SharedRoles.all[name] ?? tests.lazy.compactMap { $0.roles[name] }.first
  }

  private static func tests(named names: [String]) throws -> [any TortureTest.Type] {
    try names.map { name in
      guard let test = tests.first(where: { $0.name == name }) else {
        throw BrokenTest(
          "there is no test \(name); there are \(tests.map { $0.name }.joined(separator: ", "))"
        )
      }
      return test
    }
  }

  /// Runs the tests one after the other, each with its control.
  private static func run(_ arguments: Arguments) async throws -> Bool {
    let chosen = arguments.rest.isEmpty ? tests : try tests(named: arguments.rest)
    var failed: [String] = []
    for test in chosen {
      var isRight = false
      // A control that is skipped after the run has shown nothing.
      var hasRun = false
      do {
        let instance = try test.init(TortureSetting(arguments, name: test.name))
        let start = ContinuousClock.now
        let outcome = try await instance.run()
        show(outcome, of: test.name, arguments)
        hasRun = true
        let control = try await instance.control()
        say(
          "\(test.name): control: \(control.defect): found in \(control.found) of \(control.runs) runs"
            + (control.isFound
              ? "" : ", \(control.needed) are needed: the test does not find what it looks for")
        )
        say("\(test.name): \((ContinuousClock.now - start).components.seconds) s")
        isRight = outcome.findings.isEmpty && control.isFound
      } catch let skipped as Skipped {
        say("\(test.name): SKIPPED: \(skipped.reason)")
        isRight = !hasRun
      } catch let interrupted as Interrupted {
        show(interrupted.outcome, of: test.name, arguments)
        say("\(test.name): BROKEN: \(interrupted.error)")
      } catch { say("\(test.name): BROKEN: \(error)") }
      if !isRight { failed.append(test.name) }
    }
    say(failed.isEmpty ? "torture: no findings" : "torture: FAILED: \(failed.joined(separator: ", "))")
    return failed.isEmpty
  }

  private static func runOnce(_ test: any TortureTest.Type, _ arguments: Arguments) async throws -> Bool {
    let outcome = try await test.init(TortureSetting(arguments, name: test.name)).runOnce()
    show(outcome, of: test.name, arguments)
    return outcome.findings.isEmpty
  }

  /// Shows the counts, and of each kind of finding the first ones.
  private static func show(_ outcome: Outcome, of name: String, _ arguments: Arguments) {
    let effort = arguments.text("effort").flatMap { $0 == "command" ? nil : " --effort \($0)" } ?? ""
    for count in outcome.counts.sorted(by: { $0.key < $1.key }) {
      say("\(name): \(count.value) \(count.key)")
    }
    let kinds = Dictionary(grouping: outcome.findings, by: \.kind).sorted { $0.key < $1.key }
    for (kind, findings) in kinds {
      for finding in findings.prefix(20) {
        say(
          "\(name): \(kind): \(finding.text)\n  repeat: Torture/run --only \(name) \(finding.repetition)\(effort)"
        )
      }
      if findings.count > 20 { say("\(name): \(kind): \(findings.count - 20) more") }
    }
    say("\(name): \(outcome.runs) \(outcome.unit), \(outcome.findings.count) findings")
  }
}

/// Writes a line at once, so that it is there when the process ends in any way.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
