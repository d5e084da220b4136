import Testing

/// `scripts/lint-processes`, a part of `make lint`, finds child processes that are not started by `ChildProcess`.
@Suite("The process rule of make lint")
struct ProcessLintTests {
  private let script = LintScript(name: "lint-processes")

  @Test(
    "Planted starts of processes are found",
    arguments: [
      ("Tests/FiefTests/A.swift", "let child = Process()"),
      ("Torture/Kit/B.swift", "  Process().run()"),
      ("Examples/PetStore/C.swift", "try Foundation.Process.run(url, arguments: [])"),
      ("Sources/Fief/D.swift", "try Process.run(url, arguments: [])"),
      ("Benchmarks/Sources/E.swift", "let child: Process = .init()"),
      ("Support/ChildProcesses/F.swift", "typealias Child = Process"),
      ("Sources/LMDB/G.swift", "posix_spawn(&id, path, nil, nil, words, nil)"),
      ("Tests/Support/h.c", "  if (posix_spawnp (&child, path, 0, 0, words, environ)) return -1;"),
      ("Torture/Preload/i.c", "FILE *output = popen(\"ls\", \"r\");"),
    ]
  )
  func planted(path: String, line: String) throws {
    let (status, output) = try script.run(with: [path: "\n" + line + "\n"])
    #expect(status == 1)
    #expect(output.hasPrefix("\(path):2:"), "\(output)")
  }

  @Test("Other types, comments, hidden directories and ChildProcess itself are not")
  func clean() throws {
    let files = [
      "Tests/FiefTests/A.swift": "let child = try ChildProcess(\"ls\")\nlet cut = CutProcess()\n",
      "Sources/Fief/B.swift":
        "/// Process, thread and origin.\n// Process() is not used.\nlet text = \"Process 7\"\n",
      "Sources/.build/C.swift": "let child = Process()\n",
      "Support/ChildProcesses/D.swift": "posix_spawn(&id, path, nil, nil, words, nil)\n",
      "Support/E.swift": "ProcessInfo.processInfo.environment\nposix_spawn_file_actions_init(&actions)\n",
    ]
    let (status, output) = try script.run(with: files)
    #expect(status == 0 && output.isEmpty, "\(output)")
  }

  @Test("This checkout has none") func checkout() throws {
    let (status, output) = try script.run()
    #expect(status == 0, "\(output)")
  }
}
