import Foundation

extension Report {
  private struct Document: Encodable {
    let machine: Machine
    let objects: Int
    let rounds: Int
    let rows: [RowDocument]
  }

  private struct RowDocument: Encodable {
    let name: String
    let title: String
    let unit: Row.Unit
    let comparedWith: String
    let goalRatio: Double?
    let goalSeconds: Double?
    let isReached: Bool?
    let peers: [String: PeerDocument]
  }

  private struct PeerDocument: Encodable {
    let operations: Double
    /// Seconds or bytes of one operation, one for each round.
    let samples: [Double]
    let spread: Spread?
    let ratios: [Double]
    let ratio: Spread?
  }

  /// Everything that was measured, as one JSON document.
  func json(_ machine: Machine) throws -> String {
    let document = Document(
      machine: machine,
      objects: options.count,
      rounds: options.rounds,
      rows: options.rows.map(rowDocument)
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self)
  }

  private func rowDocument(_ row: Row) -> RowDocument {
    var peers: [String: PeerDocument] = [:]
    for peer in options.peers {
      guard let samples = samples(row.name, peer) else { continue }
      let ratios = ratios(row, peer)
      peers[peer.name] = PeerDocument(
        operations: samples.operations,
        samples: samples.perOperation,
        spread: Spread(samples.perOperation),
        ratios: ratios,
        ratio: Spread(ratios)
      )
    }
    var goalRatio: Double?
    var goalSeconds: Double?
    switch row.goal {
    case .ratio(let ratio): goalRatio = ratio
    case .seconds(let seconds): goalSeconds = seconds
    // Several peers; `isReached` says whether all of them are.
    case .limits, nil: break
    }
    return RowDocument(
      name: row.name,
      title: row.title,
      unit: row.unit,
      comparedWith: row.clear ?? row.base ?? row.name,
      goalRatio: goalRatio,
      goalSeconds: goalSeconds,
      isReached: isReached(row),
      peers: peers
    )
  }
}
