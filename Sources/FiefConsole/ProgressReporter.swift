/// Shows a ``ProgressBar`` as its work progresses: redrawn ten times a second on a terminal, a line for each
/// tenth (or every five seconds) elsewhere.
package struct ProgressReporter {
  private let console: Console
  private var bar: ProgressBar
  private var lastShown: Duration?
  private var lastTenth = 0

  /// Starts to report; nothing is shown before the first ``update(completed:elapsed:)``.
  package init(_ title: String, total: Int?, on console: Console) {
    self.console = console
    bar = ProgressBar(title: title, total: total)
  }

  /// Says how much is done after how much time, and shows it when it is time to.
  package mutating func update(completed: Int, elapsed: Duration) {
    bar.completed = completed
    bar.elapsed = elapsed
    if console.terminal.isInteractive {
      if let lastShown, elapsed - lastShown < .milliseconds(100) { return }
      console.redraw(bar.line(width: console.terminal.width - 1, colour: console.terminal.hasColour))
    } else {
      let tenth = Int((bar.fraction ?? 0) * 10)
      let isLate = elapsed - (lastShown ?? .zero) >= .seconds(5)
      guard tenth > lastTenth || isLate else { return }
      lastTenth = tenth
      console.line(bar.line(width: console.terminal.width))
    }
    lastShown = elapsed
  }

  /// Takes the bar off the screen; plain output keeps its lines.
  package func finish() {
    if console.terminal.isInteractive { console.redraw("") }
  }
}
