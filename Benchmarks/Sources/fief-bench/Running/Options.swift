import Foundation

/// The options of the command line.
struct Options {
  var count = 100_000
  var rounds = 7
  var peers = Peer.allCases
  var rows = Row.all
  var printsJSON = false
  var writesResults = false
  /// The number of objects at which `--scale` stops; nil measures the rows.
  var scale: Int?
  let arguments: [String]
  /// The directory of the stores: on a disk, or the durable rows mean nothing.
  let directory = ProcessInfo.processInfo.environment["FIEF_BENCH_DIRECTORY"] ?? ".build/data"

  init(_ arguments: [String]) throws {
    self.arguments = arguments
    var rest = arguments[...]
    var chosen: [Row] = []
    var chosenPeers: [Peer] = []
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick":
        count = 20_000
        rounds = 3
        peers = [.lmdb, .fief]
      case "--count": count = try Self.number(rest.popFirst(), of: argument, 100...10_000_000)
      case "--rounds": rounds = try Self.number(rest.popFirst(), of: argument, 1...1000)
      case "--row": chosen.append(try Self.row(rest.popFirst()))
      case "--peer": chosenPeers.append(try Self.peer(rest.popFirst()))
      case "--json": printsJSON = true
      case "--results": writesResults = true
      case "--scale":
        scale = scale ?? 5_000_000
        peers = ScaleRunner.peers
      case "--largest": scale = try Self.number(rest.popFirst(), of: argument, 10_000...100_000_000)
      default: throw BenchmarkError("unknown argument '\(argument)'; Benchmarks/README.md has the arguments")
      }
    }
    if !chosen.isEmpty {
      rows = Row.all.filter { row in chosen.contains { $0.name == row.name || $0.clear == row.name } }
    }
    if !chosenPeers.isEmpty { peers = Peer.allCases.filter(chosenPeers.contains) }
  }

  private static func number(_ text: String?, of argument: String, _ range: ClosedRange<Int>) throws -> Int {
    guard let text, let number = Int(text), range.contains(number) else {
      throw BenchmarkError("\(argument) needs a number in \(range)")
    }
    return number
  }

  private static func row(_ text: String?) throws -> Row {
    guard let row = Row.all.first(where: { $0.name == text }) else {
      throw BenchmarkError("--row needs one of " + Row.all.map(\.name).joined(separator: ", "))
    }
    return row
  }

  private static func peer(_ text: String?) throws -> Peer {
    guard let peer = text.flatMap(Peer.init) else {
      throw BenchmarkError("--peer needs one of " + Peer.allCases.map(\.name).joined(separator: ", "))
    }
    return peer
  }
}
