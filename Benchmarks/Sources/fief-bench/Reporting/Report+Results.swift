import Foundation

extension Report {
  private static var resultsFile: String { "RESULTS.md" }

  /// Writes the table with what it was measured on.
  func writeResults(_ machine: Machine) throws {
    var lines = ["# Results", ""] + machine.markdown
    lines += [
      "",
      "\(options.count) objects, medians of \(options.rounds) rounds. A ratio is to raw LMDB in the same round,",
      "with the minimum and maximum of the rounds in parentheses.",
      "",
    ]
    let others = options.peers.filter { $0 != .lmdb && $0 != .sqlcipher }
    lines.append(
      "| Row | | raw LMDB | " + others.map { "\($0.title) | ratio | " }.joined() + "Fief must reach | |"
    )
    lines.append("|---|---|" + String(repeating: "---|", count: 3 + 2 * others.count))
    for row in options.rows where row.clear == nil {
      var line = "| \(row.name) | \(row.title) | \(figure(row, .lmdb) ?? "") | "
      for peer in others {
        line += "\(figure(row, peer) ?? "") | "
        if let ratio = ratio(row, peer), let range = range(row, peer) { line += "\(ratio) (\(range))" }
        line += " | "
      }
      lines.append(line + (row.goal.map(Self.text) ?? "") + " | " + verdict(row) + " |")
    }
    lines += encryptedMarkdown
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: Self.resultsFile,
      atomically: true,
      encoding: .utf8
    )
  }
}
