import ChildProcesses
import Foundation

/// The result of one measurement of a row: the seconds (or bytes) of a run, and its operations.
struct Figure {
  var value: Double
  var operations: Double
}

/// A peer in a process of its own that answers one row after another.
final class PeerProcess {
  let peer: Peer
  private let process: ChildProcess

  init(_ peer: Peer, directory: String, count: Int) throws {
    self.peer = peer
    let arguments = peer.leading + ["serve", directory + "/" + peer.name, "\(count)"]
    process = try ChildProcess(peer.executable, arguments, input: .pipe, output: .pipe)
    guard try line() == "READY" else { throw BenchmarkError("\(peer.title) did not start") }
  }

  /// Asks for a row; nil where the peer does not have it.
  func ask(_ row: Row) throws -> Figure? {
    guard let request = row.request(to: peer) else { return nil }
    try process.input.write("\(request) \(row.times)\n")
    let answer = try line()
    if answer == "NONE" { return nil }
    let fields = answer.split(separator: " ").compactMap { Double($0) }
    guard fields.count == 2, fields[1] > 0 else {
      throw BenchmarkError("row \(row.name): \(peer.title) said '\(answer)'")
    }
    return Figure(value: fields[0], operations: fields[1])
  }

  func quit() throws {
    try process.input.write("quit\n")
    process.wait()
  }

  private func line() throws -> String {
    guard let line = try process.output.line() else {
      throw BenchmarkError("\(peer.title) has ended; see its output for the reason")
    }
    return line
  }

  /// The output of a program that ends well.
  static func output(_ program: String, _ arguments: [String]) throws -> String {
    let outcome = try ChildProcess.run(program, arguments, errors: .inherited)
    guard outcome.end == .exited(0) else {
      throw BenchmarkError("\(program) \(arguments.joined(separator: " ")) failed")
    }
    return outcome.output
  }
}

/// A program that answers rows.
enum Peer: String, CaseIterable {
  case lmdb, sqlite, sqlcipher, fief

  var name: String { rawValue }

  var title: String {
    switch self {
    case .lmdb: "raw LMDB"
    case .sqlite: "SQLite"
    case .sqlcipher: "SQLCipher"
    case .fief: "Fief"
    }
  }

  var executable: String { self == .fief ? CommandLine.arguments[0] : ".build/peers/" + name }

  /// The arguments before those that all peers have.
  var leading: [String] { self == .fief ? ["fief"] : [] }

  func output(_ arguments: [String]) throws -> String {
    try PeerProcess.output(executable, leading + arguments)
  }
}
