import Foundation

/// The table of `make bench-scale`.
struct ScaleReport {
  private struct Document: Encodable {
    let machine: Machine
    let measurements: [ScaleRunner.Measurement]
  }

  let options: Options
  let measurements: [ScaleRunner.Measurement]

  /// The greatest peak of memory for an import of any number of objects, in MiB.
  private static let importLimit = 200
  private static let titles = [
    ("load", "A: import"), ("load_idx", "A_idx: import, two indexes"), ("C", "C: point read"),
    ("D", "D: scan, per object"), ("D_place", "D by places in results, per object"),
    ("D_place_sort", "D by places in sorted results, per object"),
    ("F2", "F2: age == 37, index, per object found"),
    ("H", "H: update of 10,000, per object"), ("B", "B: durable insert"),
    ("load_loop", "alternating add and append, per object"),
    ("delete_list", "deleting members of a list one by one, per object"),
    ("search_words", "full-text query in a text of the same words, per word"),
  ]

  func publish() throws {
    let machine = try Machine(options: options)
    if options.printsJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let document = Document(machine: machine, measurements: measurements)
      Files.print(String(decoding: try encoder.encode(document), as: UTF8.self))
    } else {
      Files.print(markdown.joined(separator: "\n"))
    }
    if options.writesResults {
      let text =
        (["# How cost grows", ""] + machine.markdown + [""] + markdown).joined(separator: "\n") + "\n"
      try text.write(toFile: "RESULTS-SCALE.md", atomically: true, encoding: .utf8)
    }
  }

  /// Seconds of one operation, the peak of the process, and the size of the file, of both peers.
  private var markdown: [String] {
    var lines = [
      "Memory is the peak of the process, including touched pages of the mapped file, which the system can",
      "reclaim. The numbers in parentheses exclude these pages.",
      "",
      "| Row | objects | raw LMDB | Fief | ratio | memory, raw LMDB | memory, Fief | file, raw LMDB | file, Fief |",
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for (row, title) in Self.titles {
      for own in measurements where own.row == row && own.peer == Peer.fief.name {
        let base = measurements.first {
          $0.row == row && $0.objects == own.objects && $0.peer == Peer.lmdb.name
        }
        lines.append(line(title, base, own))
      }
    }
    return lines + [""] + importVerdicts
  }

  /// - Parameter base: the measurement of raw LMDB, if it has the row.
  private func line(_ title: String, _ base: ScaleRunner.Measurement?, _ own: ScaleRunner.Measurement)
    -> String
  {
    let ratio = base.map { String(format: "%.2f", own.secondsPerOperation / $0.secondsPerOperation) }
    let cells = [
      title, "\(own.objects)", base.map { Report.time($0.secondsPerOperation) } ?? "",
      Report.time(own.secondsPerOperation), ratio ?? "", base.map(memory) ?? "", memory(own),
      base.map(megabytes) ?? "", megabytes(own),
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private func memory(_ measurement: ScaleRunner.Measurement) -> String {
    "\(measurement.peak / 1024) MiB (\(measurement.anonymous / 1024))"
  }

  private func megabytes(_ measurement: ScaleRunner.Measurement) -> String {
    String(format: "%.1f MB", Double(measurement.fileBytes) / 1e6)
  }

  private var importVerdicts: [String] {
    ["load", "load_idx"].compactMap { row in
      let imports = measurements.filter { $0.peer == Peer.fief.name && $0.row == row }
      guard let own = imports.max(by: { $0.objects < $1.objects }) else { return nil }
      let verdict = own.peak / 1024 < Self.importLimit ? "reached" : "missed"
      return
        "- Import of \(own.objects) objects\(row == "load" ? "" : " with two indexes"): a peak of \(memory(own)); "
        + "the limit is \(Self.importLimit) MiB: \(verdict)."
    }
  }
}
