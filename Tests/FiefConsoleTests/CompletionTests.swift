import ChildProcesses
import Foundation
import Testing

@testable import FiefConsole

@Suite("Completion scripts") struct CompletionScriptTests {
  private func run(_ program: String, _ argument: String, input: String) throws -> (Int32?, String) {
    let outcome = try ChildProcess.run(program, [argument], input: input, errors: .output)
    return (outcome.status, outcome.output)
  }

  private var bash: String { BashCompletion(SampleTool.tool).script() }

  @Test("bash reads the script")
  func syntax() throws {
    let (status, text) = try run("bash", "-n", input: bash)
    #expect(status == 0 && text.isEmpty, "\(text)\n\(bash)")
  }

  /// The words that bash offers, of which the last one is being typed.
  private func offers(_ words: String...) throws -> [String] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let drive = """
      \(bash)
      COMP_WORDS=(keeper \(list)); COMP_CWORD=\(words.count)
      _keeper
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let (status, text) = try run("bash", "--norc", input: drive)
    #expect(status == 0, "\(text)")
    return text.split(separator: "\n").map(String.init).sorted()
  }

  @Test("bash offers commands, options and values where they belong")
  func words() throws {
    #expect(try offers("") == ["completion", "help", "restore", "status"])
    #expect(try offers("st") == ["status"])
    #expect(try offers("-d", "status", "re") == ["restore"])
    #expect(try offers("restore", "--f") == ["--format"])
    #expect(try offers("status", "--f") == [])
    #expect(try offers("restore", "--format", "j") == ["json"])
    #expect(try offers("restore", "--format", "=", "t") == ["text"])
    #expect(try offers("restore", "--format", "=") == ["json", "text"])
    #expect(try offers("--o") == ["--only"])
    #expect(try offers("help", "s") == ["status"])
    #expect(try offers("completion", "") == ["bash", "zsh"])
    #expect(try offers("status", "") == [])
  }

  @Test("bash offers files and directories where they belong")
  func files() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "fief-\(UUID().uuidString)").path
    let store = directory + "/store"
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    #expect(try offers("--directory", directory + "/st") == [store])
    #expect(try offers("restore", directory + "/st") == [store])
    #expect(try offers("restore", "from", directory + "/st") == [])
  }

  @Test("The zsh script has every command and option, with their quotes closed")
  func zsh() throws {
    let script = ZshCompletion(SampleTool.tool).script()
    #expect(script.hasPrefix("#compdef keeper\n"))
    for part in [
      "status:Shows", "--directory=[Where it'\\''s kept.]:DIR:_files -/", "(text json)", "*--only=",
    ] {
      #expect(script.contains(part), "\(part)")
    }
    // The quoting is that of every shell, so bash can look for what is not closed.
    let (status, text) = try run("bash", "-n", input: script)
    #expect(status == 0 && text.isEmpty, "\(text)\n\(script)")
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh") else { return }
    #expect(try run("zsh", "-n", input: script).0 == 0)
  }
}
