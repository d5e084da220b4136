import Foundation

extension Report {
  /// The table for a terminal.
  var table: [String] {
    let width = 12
    let rows = options.rows.filter { $0.clear == nil }
    let others = options.peers.filter { $0 != .lmdb && $0 != .sqlcipher }
    let nameWidth = 2 + (rows.map(\.name.count).max() ?? 0)
    let titleWidth = 2 + (rows.map(\.title.count).max() ?? 0)
    var header = Self.left("row", nameWidth) + Self.left("", titleWidth) + Self.right(Peer.lmdb.title, width)
    for peer in others {
      header += Self.right(peer.title, width) + Self.right("ratio", 8) + Self.right("", 15)
    }
    var lines = [
      "\(options.count) objects, medians of \(options.rounds) rounds; ratios to raw LMDB in the same round,"
        + " with the minimum and maximum",
      header + Self.right("goal", 8),
    ]
    for row in rows {
      var line = Self.left(row.name, nameWidth) + Self.left(row.title, titleWidth)
      line += Self.right(figure(row, .lmdb) ?? "", width)
      for peer in others {
        line += Self.right(figure(row, peer) ?? "-", width)
        line += Self.right(ratio(row, peer) ?? "", 8) + Self.right(range(row, peer) ?? "", 15)
      }
      lines.append(line + Self.right(row.goal.map(Self.text) ?? "", 8) + "  " + verdict(row))
    }
    return lines + encryptedTable
  }

  /// The verdict about a row's goal.
  func verdict(_ row: Row) -> String {
    guard let isReached = isReached(row) else { return "" }
    return isReached ? "reached" : "missed"
  }

  /// The median of a peer's samples in the row's unit.
  func figure(_ row: Row, _ peer: Peer) -> String? {
    guard let samples = samples(row.name, peer), let spread = Spread(samples.perOperation) else { return nil }
    switch row.unit {
    case .bytes: return String(format: "%.1f MB", spread.median / 1e6)
    case .run: return Self.time(spread.median * samples.operations)
    case .operation: return Self.time(spread.median)
    }
  }

  func ratio(_ row: Row, _ peer: Peer) -> String? {
    Spread(ratios(row, peer)).map { Self.number($0.median) }
  }

  func range(_ row: Row, _ peer: Peer) -> String? {
    Spread(ratios(row, peer)).map { Self.number($0.least) + "–" + Self.number($0.greatest) }
  }

  static func text(_ goal: Row.Goal) -> String {
    switch goal {
    case .ratio(let ratio): String(format: "%.2f", ratio)
    case .seconds(let seconds): time(seconds)
    case .limits(let limits):
      limits.map { String(format: "%.2f ", $0.ratio) + $0.title }.joined(separator: ", ")
    }
  }

  static func number(_ ratio: Double) -> String {
    String(format: ratio < 100 ? "%.2f" : "%.0f", ratio)
  }

  static func time(_ seconds: Double) -> String {
    if seconds < 0.9995e-6 { return String(format: "%.0f ns", seconds * 1e9) }
    if seconds < 0.9995e-3 { return String(format: "%.1f us", seconds * 1e6) }
    return String(format: "%.1f ms", seconds * 1e3)
  }

  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
