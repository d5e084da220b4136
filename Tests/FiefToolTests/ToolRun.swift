import Fief
import FiefConsole
import FiefToolKit
import Foundation
import Testing

/// One run of the tool inside of the test, with all that a person would see.
struct ToolRun {
  let status: FiefConsole.ExitStatus
  /// The text on standard output.
  let output: String
  /// The text on standard error.
  let errors: String

  /// Runs a command line.
  ///
  /// - Parameters:
  ///   - arguments: after the program's name.
  ///   - input: standard input.
  ///   - inputData: standard input that is no text.
  ///   - failsAfterInput: whether standard input ends with an error.
  ///   - width: the columns of the terminal.
  ///   - environment: the variables that a command line may name.
  ///   - passphrase: what is typed where a passphrase is asked for; nil where there is no terminal.
  ///   - isInterrupted: asked between the batches of an import.
  init(
    _ arguments: [String],
    input: String = "",
    inputData: Data? = nil,
    failsAfterInput: Bool = false,
    width: Int = 80,
    environment: [String: String] = [:],
    passphrase: String? = nil,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    let (output, errors) = (Lock(""), Lock(""))
    let rest = Lock(inputData ?? Data(input.utf8))
    let terminal = Terminal(isTerminal: false, columns: width, environment: [:])
    let io = CommandIO(
      output: Console(terminal: terminal) { text in output.withLock { $0 += text } },
      error: Console(terminal: terminal) { text in errors.withLock { $0 += text } },
      isInteractive: passphrase != nil,
      readSecret: { question in
        errors.withLock { $0 += question }
        return passphrase
      },
      environment: environment
    )
    let streams = ToolStreams(
      io: io,
      writeOutput: { data in output.withLock { $0 += String(decoding: data, as: UTF8.self) } },
      readInput: {
        try rest.withLock { rest in
          if rest.isEmpty, failsAfterInput { throw CocoaError(.fileReadUnknown) }
          let part = rest.prefix(100)
          rest.removeFirst(part.count)
          return Data(part)
        }
      },
      isInterrupted: isInterrupted
    )
    status = FiefTool.run(arguments, streams)
    self.output = output.withLock { $0 }
    self.errors = errors.withLock { $0 }
  }

  init(_ arguments: String...) { self.init(arguments) }

  /// The output as JSON.
  func json() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
  }

  /// The lines of the output.
  var lines: [String] { output.split(separator: "\n").map { String($0) } }
}
