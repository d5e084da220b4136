package import FiefConsole
package import Foundation
import Synchronization

/// The input and output of the tool: the streams of the process, or those of a test.
package struct ToolStreams: Sendable {
  /// The streams for answers, questions and errors.
  package var io: CommandIO
  /// Writes data to standard output, with an error where that fails: an export must not be cut unnoticed.
  package var writeOutput: @Sendable (Data) throws -> Void
  /// Reads some of standard input; empty at its end.
  package var readInput: @Sendable () throws -> Data
  /// Whether the user has interrupted the work.
  package var isInterrupted: @Sendable () -> Bool
  /// Makes an interrupt something to ask for, for work that can end between two steps.
  package var watchForInterrupts: @Sendable () -> Void

  /// Makes streams.
  package init(
    io: CommandIO,
    writeOutput: @escaping @Sendable (Data) throws -> Void,
    readInput: @escaping @Sendable () throws -> Data = { Data() },
    isInterrupted: @escaping @Sendable () -> Bool = { false },
    watchForInterrupts: @escaping @Sendable () -> Void = {}
  ) {
    self.io = io
    self.writeOutput = writeOutput
    self.readInput = readInput
    self.isInterrupted = isInterrupted
    self.watchForInterrupts = watchForInterrupts
  }

  /// The streams of the process.
  package static func process() -> ToolStreams {
    ToolStreams(
      io: .process(),
      writeOutput: { try FileHandle.standardOutput.write(contentsOf: $0) },
      readInput: { try FileHandle.standardInput.read(upToCount: 1 << 18) ?? Data() },
      isInterrupted: { ToolInterrupt.isWanted.load(ordering: .relaxed) },
      watchForInterrupts: ToolInterrupt.watch
    )
  }
}

/// Whether the process was interrupted from the keyboard.
private enum ToolInterrupt {
  static let isWanted = Atomic(false)

  /// Catches interrupts from now on: the first one is only noted; a second one ends the process.
  static func watch() {
    // Made before the handler, which must not make anything.
    isWanted.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in
      ToolInterrupt.isWanted.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
    // A thread that has signals blocked hands this down to the processes that it starts.
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupts, nil)
  }
}
