import Fief
import FiefConsole
import FiefToolKit
import Foundation
import LMDB
import Synchronization
import Testing

/// `fief watch` on a thread of its own, inside of the test.
final class WatchRun: Sendable {
  private struct State {
    var output = ""
    var errors = ""
    var status: FiefConsole.ExitStatus?
  }

  private let state = OwnedLock(State())
  private let isInterrupted = Atomic(false)

  /// Begins, and waits until it follows the store.
  init(_ arguments: String...) {
    let io = CommandIO(
      output: Console(terminal: .plain) { [self] text in state.withLock { $0.output += text } },
      error: Console(terminal: .plain) { [self] text in state.withLock { $0.errors += text } }
    )
    let streams = ToolStreams(
      io: io,
      writeOutput: { [self] data in
        state.withLock { $0.output += String(decoding: data, as: UTF8.self) }
      },
      isInterrupted: { [self] in isInterrupted.load(ordering: .relaxed) }
    )
    Thread.detachNewThread { [self] in
      let status = FiefTool.run(["watch"] + arguments, streams)
      state.withLock { $0.status = status }
    }
    #expect(waitUntil { $0.errors.contains("Ctrl-C ends it") || $0.status != nil })
  }

  var output: String { state.withLock { $0.output } }
  var errors: String { state.withLock { $0.errors } }
  /// The lines of the output, with the times masked.
  var lines: [String] {
    output.split(separator: "\n").map { line in
      let text = String(line).replacing(/\d+-\d\d-\d\dT[\d:.]+Z/, with: "TIME")
      return text.replacing(/commits? [\d-]+/, with: "commit N")
    }
  }

  private func waitUntil(_ condition: (State) -> Bool) -> Bool {
    for _ in 0..<120_000 {
      if state.withLock({ condition($0) }) { return true }
      usleep(5000)
    }
    return false
  }

  /// Waits for a text in the output.
  func waits(for text: String) -> Bool { waitUntil { $0.output.contains(text) } }

  /// Ends it as Ctrl-C does.
  func interrupt() -> FiefConsole.ExitStatus? {
    isInterrupted.store(true, ordering: .relaxed)
    return end()
  }

  /// Waits for its end.
  func end() -> FiefConsole.ExitStatus? {
    _ = waitUntil { $0.status != nil }
    return state.withLock { $0.status }
  }
}
