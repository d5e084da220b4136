import Foundation

/// The result of one measurement of a row: the seconds (or bytes) of a run, and its operations.
struct Figure {
  var value: Double
  var operations: Double
}

/// A peer in a process of its own that answers one row after another.
final class PeerProcess {
  let peer: Peer
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffered: [UInt8] = []

  init(_ peer: Peer, directory: String, count: Int) throws {
    self.peer = peer
    process.executableURL = URL(fileURLWithPath: peer.executable)
    process.arguments = peer.leading + ["serve", directory + "/" + peer.name, "\(count)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    guard try line() == "READY" else { throw BenchmarkError("\(peer.title) did not start") }
  }

  /// Asks for a row; nil where the peer does not have it.
  func ask(_ row: Row) throws -> Figure? {
    guard let request = row.request(to: peer) else { return nil }
    input.fileHandleForWriting.write(Data("\(request) \(row.times)\n".utf8))
    let answer = try line()
    if answer == "NONE" { return nil }
    let fields = answer.split(separator: " ").compactMap { Double($0) }
    guard fields.count == 2, fields[1] > 0 else {
      throw BenchmarkError("row \(row.name): \(peer.title) said '\(answer)'")
    }
    return Figure(value: fields[0], operations: fields[1])
  }

  func quit() {
    input.fileHandleForWriting.write(Data("quit\n".utf8))
    process.waitUntilExit()
  }

  private func line() throws -> String {
    while true {
      if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffered[..<end], as: UTF8.self)
        buffered.removeFirst(end + 1)
        return line
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw BenchmarkError("\(peer.title) has ended; what it printed says why") }
      buffered.append(contentsOf: more)
    }
  }

  /// The output of a program until its end.
  ///
  /// `Process` is not used: it checks for the end of a child every now and then, and after such a pause the
  /// next child finds cold caches, which no other peer's does.
  static func output(_ executable: String, _ arguments: [String]) throws -> String {
    let failure = BenchmarkError("\(executable) \(arguments.joined(separator: " ")) has failed")
    let pipe = Pipe()
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, 1)
    let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    let words = ([executable] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var child: pid_t = 0
    guard posix_spawn(&child, executable, &actions, nil, words, variables) == 0 else { throw failure }
    pipe.fileHandleForWriting.closeFile()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw failure }
    return String(decoding: data, as: UTF8.self)
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
