import Foundation

/// What the command line asks for.
struct Options {
  var count = 100_000
  var rounds = 5
  var peers = ["lmdb", "sqlite", "fief"]
  var rows = Runner.rows.map(\.name)
  /// Where the stores are: on a disk, or the durable rows say nothing.
  let directory = ProcessInfo.processInfo.environment["FIEF_BENCH_DIRECTORY"] ?? ".build/data"

  init(_ arguments: [String]) throws {
    var arguments = arguments[...]
    var chosen: [String] = []
    while let argument = arguments.popFirst() {
      switch argument {
      case "--quick":
        count = 20_000
        rounds = 3
        peers = ["lmdb", "fief"]
      case "--count": count = try Self.number(arguments.popFirst(), of: argument)
      case "--rounds": rounds = try Self.number(arguments.popFirst(), of: argument)
      case "--row": chosen.append(try Self.row(arguments.popFirst()))
      default: throw BenchmarkError("unknown argument '\(argument)'")
      }
    }
    if !chosen.isEmpty { rows = chosen }
  }

  private static func number(_ text: String?, of argument: String) throws -> Int {
    guard let text, let number = Int(text), (1...10_000_000).contains(number) else {
      throw BenchmarkError("\(argument) needs a number")
    }
    return number
  }

  private static func row(_ text: String?) throws -> String {
    guard let text, let row = Runner.rows.first(where: { $0.name == text || $0.name.hasPrefix(text + ".") })
    else {
      throw BenchmarkError("--row needs one of " + Runner.rows.map(\.name).joined(separator: ", "))
    }
    return row.name
  }

  static func peerPath(_ peer: String) -> String { ".build/peers/" + peer }

  static func executable(of peer: String) -> String {
    peer == "fief" ? CommandLine.arguments[0] : peerPath(peer)
  }

  static func leading(_ peer: String) -> [String] { peer == "fief" ? ["fief"] : [] }
}
