/// A line that shows the progress of long-running work.
///
/// It is a value that converts progress to text, so it can be tested without a terminal.
package struct ProgressBar: Sendable {
  /// The name of the work, such as "Packages".
  package var title: String
  /// The amount of work, or `nil` if it is unknown.
  package var total: Int?
  /// The completed amount of work.
  package var completed = 0
  /// The time since the work started.
  package var elapsed: Duration = .zero

  /// The completed fraction, from 0 to 1, or `nil` if the total is unknown.
  package var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(Double(completed) / Double(total), 1)
  }

  /// The expected remaining seconds at the average rate so far, or `nil` if they are unknown.
  package var remaining: Double? {
    guard let total, completed > 0, elapsed > .zero else { return nil }
    return Double(max(0, total - completed)) * elapsed.seconds / Double(completed)
  }

  /// Returns the line, at most `width` columns wide. If the width is small, the least important parts are
  /// omitted first.
  package func line(width: Int, colour: Bool = false) -> String {
    let percent = fraction.map { "\(pad(String(Int($0 * 100)), to: 3))%" }
    let amount =
      total.map { "\(Format.count(completed)) of \(Format.count(max($0, completed)))" }
      ?? Format.count(completed)
    let rate = completed > 0 ? Format.rate(completed, in: elapsed) : nil
    let eta = remaining.map { "ETA \(Format.clock($0))" }

    var tail = [percent, amount, rate, eta].compactMap(\.self)
    while tail.count > 1, title.count + 2 + tail.joined(separator: "  ").count > width {
      tail.removeLast()
    }
    let text = tail.joined(separator: "  ")
    let barWidth = min(30, width - title.count - text.count - 5)
    guard let fraction, barWidth >= 5 else { return String("\(title)  \(text)".prefix(width)) }

    let filled = Int(fraction * Double(barWidth))
    let done = String(repeating: "#", count: filled)
    let rest = String(repeating: "-", count: barWidth - filled)
    let bar = colour && filled > 0 ? "\u{1B}[32m\(done)\u{1B}[0m\(rest)" : done + rest
    return "\(title)  [\(bar)] \(text)"
  }

  private func pad(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
