import Foundation

/// The growth of costs: rows at 10,000 to 5 million objects, each of them in a process of its own, so that
/// the peak of its memory is that of the row alone.
struct ScaleRunner {
  /// The result of one process.
  struct Measurement: Encodable {
    let row: String
    let peer: String
    let objects: Int
    let secondsPerOperation: Double
    /// KiB: the most that the process ever had, pages of the file included, and what was its own of that.
    let peak: Int
    let anonymous: Int
    let fileBytes: Int
    fileprivate let digest: String
  }

  let options: Options
  let largest: Int

  /// An import of more objects than this is saved in parts of 10,000, as one that is to stay in bounded
  /// memory has to be.
  private static let wholeImport = 100_000
  private static let batch = 10_000
  static let peers = [Peer.lmdb, .fief]

  func run() throws {
    try Files.makeEmpty(options.directory)
    defer { Files.remove(options.directory) }
    var sizes = [10_000, 100_000, 1_000_000, 5_000_000].filter { $0 <= largest }
    if sizes.last != largest { sizes.append(largest) }
    var measurements: [Measurement] = []
    for size in sizes {
      // A store keeps the keys of a million rows for look-ups by place.
      let places = size > 1_000_000 ? [] : ["D_place", "D_place_sort"]
      let plain = ["load", "C", "D"] + places + ["H", "B"]
      for rows in [plain, ["load_idx", "F2"], ListScale.rows, SearchScale.rows] {
        for row in rows { measurements += try measure(row, size) }
        for peer in Self.peers { Files.remove(directory(peer)) }
      }
    }
    try ScaleReport(options: options, measurements: measurements).publish()
  }

  private func measure(_ row: String, _ size: Int) throws -> [Measurement] {
    FileHandle.standardError.write(Data("bench: \(size) objects, row \(row)\n".utf8))
    let peers = SearchScale.rows.contains(row) ? [Peer.fief] : Self.peers
    let answers = try peers.map { try measure(row, size, $0) }
    for answer in answers where answer.digest != answers[0].digest {
      throw BenchmarkError("row \(row) at \(size) objects: the peers found different objects")
    }
    return answers
  }

  private func measure(_ row: String, _ size: Int, _ peer: Peer) throws -> Measurement {
    let batch = size > Self.wholeImport ? Self.batch : size
    let answer = try peer.output(["scale", row, directory(peer), "\(size)", "\(batch)"])
    let fields = answer.split(whereSeparator: \.isWhitespace)
    guard fields.count == 6, let seconds = Double(fields[0]), let operations = Double(fields[1]),
      operations > 0, let peak = Int(fields[3]), let anonymous = Int(fields[4]), let bytes = Int(fields[5])
    else { throw BenchmarkError("row \(row): \(peer.title) said '\(answer)'") }
    return Measurement(
      row: row,
      peer: peer.name,
      objects: size,
      secondsPerOperation: seconds / operations,
      peak: peak,
      anonymous: anonymous,
      fileBytes: bytes,
      digest: String(fields[2])
    )
  }

  private func directory(_ peer: Peer) -> String { options.directory + "/" + peer.name }
}
