import Foundation

/// Medians of the rounds, as times of one operation and as ratios to raw LMDB in the same round.
struct Report {
  private let options: Options
  private var figures: [String: [String: [Double]]] = [:]
  private var operations: [String: Double] = [:]

  init(options: Options) { self.options = options }

  mutating func add(_ row: String, _ peer: String, seconds: Double, operations count: Double) {
    figures[row, default: [:]][peer, default: []].append(seconds)
    operations[row] = count
  }

  func print() {
    Swift.print(
      "\(options.count) objects, medians of \(options.rounds) rounds; ratios to raw LMDB in the same round"
    )
    var header = Self.left("row", 42) + Self.right("raw LMDB", 12)
    for peer in options.peers where peer != "lmdb" { header += Self.right(peer, 12) + Self.right("ratio", 8) }
    Swift.print(header + Self.right("goal", 8))
    for row in Runner.rows where options.rows.contains(row.name) { print(row) }
  }

  private func print(_ row: Runner.Row) {
    let base = figures[row.base ?? row.name]?["lmdb"] ?? []
    guard !base.isEmpty else { return }
    // The rows of one commit are shown whole, the others for one operation.
    let share = row.name == "A" ? 1 : operations[row.name] ?? 1
    var line =
      Self.left("\(row.name)  \(row.title)", 42) + Self.right(Self.time(Self.median(base) / share), 12)
    for peer in options.peers where peer != "lmdb" {
      guard let own = figures[row.name]?[peer] else {
        line += Self.right("-", 20)
        continue
      }
      let ratios = zip(own, base).map { $0 / $1 }
      line += Self.right(Self.time(Self.median(own) / share), 12)
      line += Self.right(String(format: "%.2f", Self.median(ratios)), 8)
    }
    Swift.print(line + Self.right(row.goal ?? "", 8))
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func time(_ seconds: Double) -> String {
    if seconds < 1e-6 { return String(format: "%.0f ns", seconds * 1e9) }
    if seconds < 1e-3 { return String(format: "%.1f us", seconds * 1e6) }
    return String(format: "%.1f ms", seconds * 1e3)
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
