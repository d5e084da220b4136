package import FiefConsole
package import Foundation
import Synchronization

/// The input and output of the tool: the streams of the process, or streams of a test.
package struct ToolStreams: Sendable {
  /// The streams for answers, questions and errors.
  package var io: CommandIO
  /// Writes data to standard output, and throws if that fails, because an export must not be truncated
  /// silently.
  package var writeOutput: @Sendable (Data) throws -> Void
  /// Reads some bytes of standard input. Returns no bytes at the end.
  package var readInput: @Sendable () throws -> Data
  /// Returns whether the user has interrupted the work.
  package var isInterrupted: @Sendable () -> Bool
  /// Makes interrupts set a flag instead of ending the process, for work that can end between two steps.
  package var watchForInterrupts: @Sendable () -> Void

  /// Creates the input and output of the tool.
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

  /// Returns the streams of the process.
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

/// Records whether the process was interrupted from the keyboard.
private enum ToolInterrupt {
  static let isWanted = Atomic(false)

  /// Catches interrupts from now on. The first one only sets a flag; a second one ends the process.
  static func watch() {
    // Initializes the flag before the handler is installed, because a signal handler must not allocate.
    isWanted.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in
      ToolInterrupt.isWanted.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
    // A process inherits blocked signals from the thread that started it, so interrupts are unblocked here.
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupts, nil)
  }
}
