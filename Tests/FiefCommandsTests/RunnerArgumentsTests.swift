import Fief
import FiefCommands
import FiefConsole
import Foundation
import LMDB
import Testing

@testable import FiefCommands

@Suite("The runner's command line") struct RunnerArgumentsTests {
  private let commands = [
    "status", "plan", "migrate", "rollback", "verify", "schema", "diff", "compact", "backup",
  ]

  @Test("Every command answers with one document, and with nothing to do in an empty directory")
  func documents() throws {
    let fixture = try RunnerFixture()
    let repositories = [fixture.repository("a", version: 1)]
    for command in commands {
      let result = fixture.run(repositories, command, "--json", "--yes")
      let document = try result.document()
      #expect(document["command"] as? String == command)
      #expect(document["exitStatus"] as? Int32 == result.outcome.rawValue)
      #expect([.done, .nothingToDo].contains(result.outcome), "\(command)")
    }
    #expect(try fixture.names() == [])
  }

  @Test("Wrong command lines say what is right, as text and as a document")
  func mistakes() throws {
    let fixture = try RunnerFixture()
    let repositories = [fixture.repository("auth", version: 1), fixture.repository("pets", version: 1)]
    let unknown = fixture.run(repositories, "status", "--only", "pet")
    #expect(unknown.outcome == .usage && unknown.output.isEmpty)
    #expect(unknown.text.contains("auth, pets") && unknown.text.contains("Did you mean 'pets'?"))
    #expect(unknown.text.contains("'keeper status --help' explains the command."))
    let document = try fixture.run(repositories, "stauts", "--json").document()
    #expect(document["exitStatus"] as? Int == 64)
    let error = try #require(document["error"] as? [String: Any])
    #expect(error["suggestion"] as? String == "Did you mean 'status'?")
    for arguments in [["backup", "--keep", "0"], ["restore"], ["plan", "--quick"], []] {
      #expect(fixture.run(repositories, arguments).outcome == .usage, "\(arguments)")
    }
  }

  @Test("--only chooses, in the order of the repositories")
  func only() throws {
    let fixture = try RunnerFixture()
    let repositories = ["a", "b", "c"].map { fixture.repository($0, version: 1) }
    let result = fixture.run(repositories, "--only", "c", "status", "--only=a")
    #expect(result.lines.filter { $0.hasSuffix("not created yet") }.map { $0.prefix(1) } == ["a", "c"])
  }

  @Test("The help says what every status means, and fits")
  func help() throws {
    let fixture = try RunnerFixture()
    let repositories = [fixture.repository("pets", version: 1)]
    let help = fixture.run(repositories, "--help")
    #expect(help.outcome == .done && help.errors.isEmpty)
    for outcome in MigrationRunner.Outcome.allCases {
      #expect(help.output.contains(try Regex("(?m)^  \(outcome.rawValue) +[A-Z]")), "\(outcome)")
    }
    for command in commands + ["restore", "completion"] {
      let page = fixture.run(repositories, command, "--help")
      #expect(page.outcome == .done)
      #expect(
        page.output.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains("keeper ") },
        "\(page.output)"
      )
      #expect(help.output.contains("\n  \(command) "))
    }
  }

  @Test("Progress is a bar on a terminal and lines elsewhere")
  func progress() throws {
    func shown(_ terminal: Terminal) -> String {
      let text = Collected()
      let display = ProgressDisplay("pets", on: Console(terminal: terminal) { text.add($0) })
      display.begin("making a backup")
      for step in 0...10 {
        display.show(
          MigrationProgress(
            store: "pets",
            fromVersion: 1,
            toVersion: 2,
            step: "titles",
            activity: "Dog: enumerating",
            completed: step * 100,
            total: 1000
          )
        )
      }
      display.end()
      return text.text
    }
    let bar = shown(Terminal(isTerminal: true, columns: 120, environment: ["NO_COLOR": "1"]))
    #expect(bar.contains("\r\u{1B}[2Kpets: making a backup"))
    #expect(bar.contains("pets: titles, Dog: enumerating  ["))
    #expect(bar.hasSuffix("\r\u{1B}[2K") && !bar.contains("\n"))
    let lines = shown(.plain)
    #expect(lines.hasPrefix("pets: making a backup\n"))
    #expect(lines.contains("1,000 of 1,000") && !lines.contains("\u{1B}") && !lines.contains("\r"))
  }

  private final class Collected: Sendable {
    private let storage = OwnedLock("")
    var text: String { storage.withLock { $0 } }
    func add(_ more: String) { storage.withLock { $0 += more } }
  }

  @Test("Stores that are nowhere are not said to be up to date")
  func nowhere() throws {
    let fixture = try RunnerFixture()
    let result = fixture.run([fixture.repository("a", version: 2)], "migrate", "--yes", "--exit-zero")
    #expect(result.outcome == .done)
    #expect(result.text.contains("no store exists yet"))
    #expect(!result.text.contains("Every store is up to date"))
  }

  @Test("Commands are shown as a shell takes them")
  func quoting() throws {
    let fixture = try RunnerFixture()
    let parent = fixture.path("it's $HOME")
    try FileManager.default.createDirectory(
      atPath: parent,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    try RunnerRepository("a", in: parent, version: 1).fill(hounds: 1)
    let result = fixture.run([fixture.repository("a", version: 2)], "status", "--directory", parent)
    #expect(result.text.contains("it'\\''s $HOME'"), "\(result.text)")
  }

  @Test("A line without a command is an error, and a document where one is asked for")
  func noCommand() throws {
    let fixture = try RunnerFixture()
    let result = fixture.run([fixture.repository("a", version: 2)], "--json")
    #expect(result.outcome == .usage)
    #expect(try result.document()["outcome"] as? String == "usage")
  }

  @Test("A table that is too wide for the terminal is written store by store")
  func narrow() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a", hounds: 5)
    let terminal = Terminal(isTerminal: true, columns: 40, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    let result = fixture.run([fixture.repository("a", version: 2)], "status", terminal: terminal)
    #expect(result.output.contains("a: needs a migration\n  version: 1, declared: 2, objects: 6,\n  size: "))
    #expect(result.output.split(separator: "\n").filter { !$0.contains("/") }.allSatisfy { $0.count <= 40 })
    let wide = fixture.run([fixture.repository("a", version: 2)], "status", terminal: .plain)
    #expect(wide.lines.contains("a 1 2 6 SIZE none needs a migration"))
  }
}
