import Fief
import FiefConsole
import FiefToolKit
import Foundation
import Testing

/// The output that only a terminal shows.
@Suite("The tool on a terminal") struct TerminalTests {
  private func run(_ arguments: [String], environment: [String: String]) -> (output: String, errors: String) {
    let (output, errors) = (Lock(""), Lock(""))
    let terminal = Terminal(isTerminal: true, columns: 70, environment: environment)
    let io = CommandIO(
      output: Console(terminal: terminal) { text in output.withLock { $0 += text } },
      error: Console(terminal: terminal) { text in errors.withLock { $0 += text } }
    )
    let streams = ToolStreams(
      io: io,
      writeOutput: { data in output.withLock { $0 += String(decoding: data, as: UTF8.self) } }
    )
    _ = FiefTool.run(arguments, streams)
    return (output.withLock { $0 }, errors.withLock { $0 })
  }

  @Test("A long import and export show a bar on standard error, and take it away")
  func progress() throws {
    try ToolStores.with("pets") { store in
      let file = store + ".jsonl"
      let lines = (0..<3000).map { #"{"name":"Club \#($0)"}"# }
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
      let imported = run(["import", store, "DogClub", "-i", file], environment: [:])
      #expect(imported.output == "Imported 3,000 objects (3,000 inserted).\n")
      #expect(imported.errors.contains("\r\u{1B}[2KImporting KiB  ["))
      #expect(imported.errors.hasSuffix("\r\u{1B}[2K"))
      let exported = run(["export", store, "DogClub"], environment: [:])
      #expect(exported.output.split(separator: "\n").count == 3004)
      #expect(!exported.output.contains("\u{1B}"))
      #expect(exported.errors.contains("Exporting  ["))
      #expect(ToolRun("export", store).errors == "")
    }
  }

  @Test("Headings are bold on a terminal, unless NO_COLOR says otherwise")
  func colours() throws {
    try ToolStores.with("pets") { store in
      #expect(
        run(["get", store, "DogToy", "1"], environment: [:]).output.hasPrefix("\u{1B}[1mDogToy 1\u{1B}[0m\n")
      )
      #expect(
        run(["get", store, "DogToy", "1"], environment: ["NO_COLOR": "1"]).output.hasPrefix("DogToy 1\n")
      )
    }
  }
}
