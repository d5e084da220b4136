import FiefConsole
import Foundation
import Synchronization

/// What the tool reads and writes: the streams of the process, or those of a test.
package struct ToolStreams: Sendable {
  /// Where answers, questions and errors go.
  package var io: CommandIO
  /// Writes data to standard output, with an error where that fails: an export must not be cut unnoticed.
  package var writeOutput: @Sendable (Data) throws -> Void
  /// Reads some of standard input; empty at its end.
  package var readInput: @Sendable () throws -> Data
  /// Whether somebody wants the work to end.
  package var isInterrupted: @Sendable () -> Bool

  /// Makes streams.
  package init(
    io: CommandIO,
    writeOutput: @escaping @Sendable (Data) throws -> Void,
    readInput: @escaping @Sendable () throws -> Data = { Data() },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.io = io
    self.writeOutput = writeOutput
    self.readInput = readInput
    self.isInterrupted = isInterrupted
  }

  /// The streams of the process. An interrupt ends an import between two batches; a second one ends the
  /// process.
  package static func process() -> ToolStreams {
    signal(SIGINT) { _ in
      ToolInterrupt.isWanted.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
    return ToolStreams(
      io: .process(),
      writeOutput: { try FileHandle.standardOutput.write(contentsOf: $0) },
      readInput: { try FileHandle.standardInput.read(upToCount: 1 << 18) ?? Data() },
      isInterrupted: { ToolInterrupt.isWanted.load(ordering: .relaxed) }
    )
  }
}

/// Whether the process was interrupted from the keyboard.
private enum ToolInterrupt {
  static let isWanted = Atomic(false)
}
