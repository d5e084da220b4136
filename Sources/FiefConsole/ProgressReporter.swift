/// Shows a ``ProgressBar`` while the work progresses. On a terminal it is redrawn ten times per second;
/// elsewhere a line is written for each tenth of the work, and at least every five seconds.
package struct ProgressReporter {
  private let console: Console
  private var bar: ProgressBar
  private var lastShown: Duration?
  private var lastTenth = 0

  /// Creates a reporter. Nothing is shown before the first ``update(completed:elapsed:)``.
  package init(_ title: String, total: Int?, on console: Console) {
    self.console = console
    bar = ProgressBar(title: title, total: total)
  }

  /// Updates the progress, and shows it if it is due.
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

  /// Removes the bar from the screen. Lines of plain output remain.
  package func finish() {
    if console.terminal.isInteractive { console.redraw("") }
  }
}
