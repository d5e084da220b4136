import ChildProcesses
import Foundation
import Testing

@testable import FiefConsole

/// Words of a command line that the tool itself knows, and its scripts ask it for.
@Suite("Completion scripts that ask the tool") struct AskedCompletionTests {
  private static let tool = CommandLineTool(
    name: "keeper",
    summary: "keeps",
    commands: [
      CommandDeclaration(
        "list",
        "Lists",
        positionals: [
          PositionalDeclaration("STORE", "the store", completion: .files),
          PositionalDeclaration("TYPE", "the type", count: .any, completion: .asked("types")),
        ],
        options: [
          OptionDeclaration("columns", short: "c", value: "NAMES", completion: .asked("columns"), "Shows.")
        ]
      )
    ]
  )

  /// The words that bash offers where the tool answers with the words that it was asked with.
  private func offers(_ words: String...) throws -> [String] {
    let list = words.map { "\"\($0)\"" }.joined(separator: " ")
    let drive = """
      \(BashCompletion(Self.tool).script())
      keeper() { local all="$*"; printf '%s\\n' "${!#}${all// /_}" other; }
      HOME=/home/me
      COMP_WORDS=(keeper \(list)); COMP_CWORD=\(words.count)
      _keeper
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try ChildProcess.run("bash", ["--norc"], input: drive, errors: .output)
    #expect(outcome.status == 0, "\(outcome.output)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test("bash asks with the words before and offers what begins as the current one")
  func bash() throws {
    #expect(try offers("list", "pets", "Do") == ["Do__complete_types_pets_Do"])
    #expect(try offers("list", "-c", "x", "pets", "Dog", "") == ["__complete_types_pets_Dog_", "other"])
    #expect(
      try offers("list", "~/pets", "Dog", "--columns", "name,a") == [
        "name,a__complete_columns_/home/me/pets_Dog_name,a"
      ]
    )
    #expect(try offers("list", "pets", "nothing") == ["nothing__complete_types_pets_nothing"])
  }

  @Test("A tool that asks nothing has no function for it")
  func without() {
    #expect(!BashCompletion(SampleTool.tool).script().contains("_asked"))
    #expect(!ZshCompletion(SampleTool.tool).script().contains("_asked"))
  }

  @Test("The zsh script asks in the same way, with its quotes closed")
  func zsh() throws {
    let script = ZshCompletion(Self.tool).script()
    #expect(script.contains("{_keeper_asked types}") && script.contains("{_keeper_asked columns}"))
    #expect(script.contains("keeper __complete \"$1\" \"${places[@]}\" \"$PREFIX\""))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh") else { return }
    #expect(try ChildProcess.run("zsh", ["-n", "-c", script]).status == 0)
  }
}
