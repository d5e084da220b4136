/// One line with the progress of a long piece of work.
///
/// A value with progress as its input and text as its output, so that it is tested without a terminal.
package struct ProgressBar: Sendable {
  /// The name of the work: "Packages".
  package var title: String
  /// The amount of work; nil when that is not known.
  package var total: Int?
  /// The amount of work that is done.
  package var completed = 0
  /// The time that the work has taken so far.
  package var elapsed: Duration = .zero

  /// The part done, from 0 to 1; short of 1 while work continues, since a total may be an estimate.
  package var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(Double(completed) / Double(total), 1)
  }

  /// Seconds to go at the present average rate; nil when it is not known.
  package var remaining: Double? {
    guard let total, completed > 0, elapsed > .zero else { return nil }
    return Double(max(0, total - completed)) * elapsed.seconds / Double(completed)
  }

  /// The line, at most `width` columns wide; the parts that matter least go first when it is narrow.
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
