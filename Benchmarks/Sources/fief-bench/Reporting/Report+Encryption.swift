/// The table of encrypted stores: each peer with one beside the same peer in clear.
extension Report {
  /// The peer in clear and the one whose stores are encrypted, where both were measured.
  private var pairs: [(clear: Peer, encrypted: Peer)] {
    [(Peer.sqlite, Peer.sqlcipher), (.fief, .fief)].filter {
      options.peers.contains($0.0) && options.peers.contains($0.1)
    }
  }

  private var encryptedRows: [(row: Row, clear: Row)] {
    options.rows.compactMap { row in
      options.rows.first { $0.name == row.clear }.map { (row, $0) }
    }
  }

  /// The lines for a terminal.
  var encryptedTable: [String] {
    let rows = encryptedRows
    guard !rows.isEmpty, !pairs.isEmpty else { return [] }
    let nameWidth = 2 + (rows.map(\.row.name.count).max() ?? 0)
    let titleWidth = 2 + (rows.map(\.row.title.count).max() ?? 0)
    var header = Self.left("row", nameWidth) + Self.left("", titleWidth)
    for pair in pairs {
      header += Self.right(pair.clear.title, 12) + Self.right(Self.title(pair.encrypted), 12)
      header += Self.right("ratio", 8) + Self.right("", 15)
    }
    var lines = ["", "encrypted stores; ratios to the same peer unencrypted", header + Self.right("goal", 8)]
    for (row, clear) in rows {
      var line = Self.left(row.name, nameWidth) + Self.left(row.title, titleWidth)
      for pair in pairs {
        line += Self.right(figure(clear, pair.clear) ?? "-", 12)
        line += Self.right(figure(row, pair.encrypted) ?? "-", 12)
        line += Self.right(ratio(row, pair.encrypted) ?? "", 8)
        line += Self.right(range(row, pair.encrypted) ?? "", 15)
      }
      lines.append(line + Self.right(row.goal.map(Self.text) ?? "", 8) + "  " + verdict(row))
    }
    return lines
  }

  /// The lines for the file of results.
  var encryptedMarkdown: [String] {
    let rows = encryptedRows
    guard !rows.isEmpty, !pairs.isEmpty else { return [] }
    var lines = [
      "",
      "## Encrypted stores",
      "",
      "A ratio is to the same peer unencrypted, in the same round.",
      "",
      "| Row | | "
        + pairs.map { "\($0.clear.title) | \(Self.title($0.encrypted)) | ratio | " }.joined()
        + "Fief must reach | |",
      "|---|---|" + String(repeating: "---|", count: 2 + 3 * pairs.count),
    ]
    for (row, clear) in rows {
      var line = "| \(row.name) | \(row.title) | "
      for pair in pairs {
        line += "\(figure(clear, pair.clear) ?? "") | \(figure(row, pair.encrypted) ?? "") | "
        if let ratio = ratio(row, pair.encrypted), let range = range(row, pair.encrypted) {
          line += "\(ratio) (\(range))"
        }
        line += " | "
      }
      lines.append(line + (row.goal.map(Self.text) ?? "") + " | " + verdict(row) + " |")
    }
    return lines
  }

  private static func title(_ peer: Peer) -> String { peer == .fief ? "encrypted" : peer.title }
}
