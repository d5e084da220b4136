import Fief
import FiefConsole

/// Shows the progress of work on a store: a redrawn bar on a terminal, lines elsewhere. It writes to standard
/// error, so that standard output contains only the answer.
final class ProgressDisplay: Sendable {
  private struct State {
    var reporter: ProgressReporter?
    var title = ""
    var begun = ContinuousClock.now
  }

  private let console: Console
  private let store: String
  private let state = Lock(State())

  init(_ store: String, on console: Console) {
    self.store = store
    self.console = console
  }

  /// Shows the current activity, whose extent is unknown.
  func begin(_ activity: String) {
    state.withLock { state in
      state.reporter?.finish()
      state.reporter = nil
      state.title = ""
      let text = "\(store): \(activity)"
      if console.terminal.isInteractive { console.redraw(text) } else { console.line(text) }
    }
  }

  /// Shows the progress of a migration.
  func show(_ progress: MigrationProgress) {
    let step = progress.step.map { "\($0), " } ?? ""
    let title = Format.printable("\(store): \(step)\(progress.activity)")
    state.withLock { state in
      if title != state.title || state.reporter == nil {
        state.reporter?.finish()
        state.title = title
        state.begun = ContinuousClock.now
        state.reporter = ProgressReporter(
          title,
          total: progress.total > 0 ? progress.total : nil,
          on: console
        )
      }
      state.reporter?.update(completed: progress.completed, elapsed: ContinuousClock.now - state.begun)
    }
  }

  /// Removes the bar from the screen.
  func end() {
    state.withLock { state in
      state.reporter = nil
      if console.terminal.isInteractive { console.redraw("") }
    }
  }
}
