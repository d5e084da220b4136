import Fief
import FiefConsole
import FiefToolKit
import Foundation
import Testing

/// Runs the tool `fief` in this process.
enum TreeTool {
  typealias Result = (status: FiefConsole.ExitStatus, output: String)

  /// - Parameters:
  ///   - arguments: the arguments; `STORE` stands for the directory of a store.
  ///   - store: the directory of the store.
  ///   - input: the standard input.
  static func run(_ arguments: [String], in store: String, input: String = "") -> Result {
    let output = Lock("")
    let rest = Lock(Data(input.utf8))
    let terminal = Terminal(isTerminal: false, columns: 80, environment: [:])
    let console = Console(terminal: terminal) { text in output.withLock { $0 += text } }
    let io = CommandIO(
      output: console,
      error: console,
      isInteractive: false,
      readSecret: { _ in nil },
      environment: [:]
    )
    let streams = ToolStreams(
      io: io,
      writeOutput: { data in output.withLock { $0 += String(decoding: data, as: UTF8.self) } },
      readInput: {
        rest.withLock { rest in
          defer { rest = Data() }
          return rest
        }
      }
    )
    let words = arguments.map { $0 == "STORE" ? store : $0 }
    return (FiefTool.run(words, streams), output.withLock { $0 })
  }

  static func expect(
    _ status: FiefConsole.ExitStatus,
    _ output: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ run: () throws -> Result
  ) throws {
    let result = try run()
    #expect(result.status == status, "\(result.output)", sourceLocation: sourceLocation)
    if let output { #expect(result.output == output, sourceLocation: sourceLocation) }
  }
}
