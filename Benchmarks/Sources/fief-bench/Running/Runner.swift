import Foundation

/// Asks one peer after another for each row, round by round, and compares within the round: the machine's
/// moods then meet all of them alike.
struct Runner {
  let options: Options

  func run() throws -> Report {
    try Files.makeEmpty(options.directory)
    defer { Files.remove(options.directory) }
    try compareExpectations()
    var report = Report(options: options)
    let peers = try options.peers.map {
      try PeerProcess($0, directory: options.directory, count: options.count)
    }
    for round in 1...options.rounds {
      progress("round \(round) of \(options.rounds)")
      // Each peer is the first of some rounds, so that none always meets what another has left behind.
      let first = round % peers.count
      let order = peers[first...] + peers[..<first]
      for row in options.rows {
        for peer in order {
          if let figure = try peer.ask(row) { report.add(row, peer.peer, figure) }
        }
      }
    }
    for peer in peers { try peer.quit() }
    return report
  }

  /// All peers have to agree on what the data is, before any time counts.
  private func compareExpectations() throws {
    let lines = try options.peers.map { ($0, try $0.output(["expect", "\(options.count)"])) }
    for (peer, text) in lines where text != lines[0].1 {
      throw BenchmarkError("the data of \(peer.title) differ from the data of \(lines[0].0.title)")
    }
    guard options.count == 100_000 else { return }
    guard lines[0].1 == (try String(contentsOfFile: "Peers/expect.txt", encoding: .utf8)) else {
      throw BenchmarkError("the data differ from Peers/expect.txt")
    }
  }

  private func progress(_ text: String) {
    FileHandle.standardError.write(Data("bench: \(text)\n".utf8))
  }
}
