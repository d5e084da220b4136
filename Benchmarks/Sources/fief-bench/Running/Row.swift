/// One row of the table: what is measured, how often, and what Fief is to reach.
struct Row: Sendable {
  /// The unit in which the figures are shown. Ratios are always of one operation.
  enum Unit: String, Encodable {
    /// The seconds of the whole run, usually one commit or one query.
    case run
    /// The seconds of one operation.
    case operation
    case bytes
  }

  enum Goal {
    /// The ratio to raw LMDB.
    case ratio(Double)
    /// The seconds of one operation.
    case seconds(Double)
    /// The ratios to the peers that were measured.
    case limits([Limit])
  }

  /// A ratio to a peer, or to Fief itself in another row.
  struct Limit {
    let ratio: Double
    let peer: Peer
    /// The row of the peer; nil for the same row.
    var row: String?
    /// The name of the peer and its row in the table.
    let title: String
  }

  let name: String
  let title: String
  var unit = Unit.operation
  /// The number of runs in one measurement: the mean of reads, the median of rows that change a store.
  var times = 1
  var goal: Goal?
  /// The row that raw LMDB is asked for in place of this one, right before or after Fief, where it has nothing
  /// of the kind itself. Others are not asked then.
  var base: String?
  /// The row that this one is of an encrypted store, and that its figures are compared with; nil for a row in clear.
  var clear: String?

  /// The row that a peer is asked to measure; nil where it has none.
  func request(to peer: Peer) -> String? {
    if let clear {
      switch peer {
      case .fief: return name
      // All of its stores are encrypted.
      case .sqlcipher: return clear
      case .lmdb, .sqlite: return nil
      }
    }
    if peer == .sqlcipher { return nil }
    guard let base, peer != .fief else { return name }
    return peer == .lmdb ? base : nil
  }
}
