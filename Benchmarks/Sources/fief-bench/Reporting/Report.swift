import Foundation

/// The samples of all rounds, and their summary.
struct Report {
  /// The samples of one peer for one row, one for each round: of one operation.
  struct Samples {
    var perOperation: [Double] = []
    var operations = 1.0
  }

  /// The middle and the ends of samples or ratios.
  struct Spread: Encodable {
    let median: Double
    let least: Double
    let greatest: Double

    init?(_ values: [Double]) {
      let sorted = values.sorted()
      guard let least = sorted.first, let greatest = sorted.last else { return nil }
      median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
      self.least = least
      self.greatest = greatest
    }
  }

  let options: Options
  private var samples: [String: [Peer: Samples]] = [:]

  init(options: Options) { self.options = options }

  mutating func add(_ row: Row, _ peer: Peer, _ figure: Figure) {
    samples[row.name, default: [:]][peer, default: Samples()].perOperation.append(
      figure.value / figure.operations
    )
    samples[row.name]?[peer]?.operations = figure.operations
  }

  func samples(_ row: String, _ peer: Peer) -> Samples? { samples[row]?[peer] }

  /// The ratios of a peer to raw LMDB, each within its round; of an encrypted store to the same peer in clear.
  func ratios(_ row: Row, _ peer: Peer) -> [Double] {
    let base = row.clear.map { samples($0, peer == .sqlcipher ? .sqlite : peer) } ?? samples(row.name, .lmdb)
    return peer == .lmdb ? [] : ratios(row, peer, to: base)
  }

  private func ratios(_ row: Row, _ peer: Peer, to base: Samples?) -> [Double] {
    guard let own = samples(row.name, peer), let base else { return [] }
    return zip(own.perOperation, base.perOperation).map { $0 / $1 }
  }

  /// Whether Fief is where it is to be; nil where there is no goal, or nothing to compare.
  func isReached(_ row: Row) -> Bool? {
    switch row.goal {
    case .ratio(let goal): Spread(ratios(row, .fief)).map { $0.median <= goal }
    case .seconds(let goal): Spread(samples(row.name, .fief)?.perOperation ?? []).map { $0.median <= goal }
    case .limits(let limits):
      limits.compactMap { limit in
        Spread(ratios(row, .fief, to: samples(limit.row ?? row.name, limit.peer))).map {
          $0.median <= limit.ratio
        }
      }.reduce(nil) { $0 ?? true && $1 }
    case nil: nil
    }
  }

  /// Prints the table, or a document for machines, and writes the results where that is asked for.
  func publish() throws {
    let machine = try Machine(options: options)
    Files.print(options.printsJSON ? try json(machine) : table.joined(separator: "\n"))
    if options.writesResults { try writeResults(machine) }
  }
}
