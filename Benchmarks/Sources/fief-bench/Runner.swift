import Foundation

/// Runs each row on each peer in turn, round by round, and compares within the round: the machine's moods
/// then meet all of them alike.
struct Runner {
  struct Row {
    let name: String
    let title: String
    /// How many runs of a row that is asked for make one measurement; 0 for a row of a process of its own.
    let times: Int
    /// The ratio to raw LMDB that Fief is to reach, or a time; nil where there is none.
    let goal: String?
    /// The row of raw LMDB that this one is compared with, where it is not the row itself.
    var base: String?
  }

  static let rows = [
    Row(name: "A", title: "insert objects, one durable commit", times: 0, goal: "1.40"),
    Row(name: "B", title: "one durable insert after another", times: 0, goal: "1.10"),
    Row(name: "C", title: "point read, one scope", times: 2, goal: "1.60"),
    Row(name: "C_tx", title: "point read, a scope each", times: 2, goal: "1.60"),
    Row(name: "C_repo", title: "the same through the repository", times: 2, goal: nil, base: "C_tx"),
    Row(name: "D", title: "scan, every object made", times: 3, goal: "1.40"),
    Row(name: "J", title: "count", times: 20_000, goal: "1 us"),
    Row(name: "M.inproc", title: "open and read one object", times: 0, goal: "3.00"),
  ]

  let options: Options

  func run() throws {
    let directory = options.directory
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try compareExpectations(directory)
    var report = Report(options: options)
    for round in 1...options.rounds {
      for peer in options.peers { try writes(of: peer, round: round, directory, &report) }
    }
    try reads(directory, &report)
    report.print()
  }

  /// All peers have to agree on what the data is, before any time counts.
  private func compareExpectations(_ directory: String) throws {
    let own = try FiefRounds(directory: directory, round: 0, count: options.count).expected
    let lines = try PeerProcess.output(
      Options.peerPath("lmdb"),
      [directory, "0", "\(options.count)"],
      environment: ["PRINT_EXPECT": "1"]
    )
    guard own == (try Expectation(lines: lines)) else { throw BenchmarkError("the data of the peers differ") }
    guard options.count == 100_000 else { return }
    let written = try String(contentsOfFile: "Peers/expect.txt", encoding: .utf8)
    guard own == (try Expectation(lines: written)) else {
      throw BenchmarkError("the data are not those of Peers/expect.txt")
    }
  }

  private func writes(of peer: String, round: Int, _ directory: String, _ report: inout Report) throws {
    // A row that is left out by the driver is not emitted, so a name that it has not is enough for "none".
    let wanted = ["B", "M"].filter { row in options.rows.contains { $0.hasPrefix(row) } }
    guard !wanted.isEmpty || options.rows.contains("A") else { return }
    let arguments = [
      directory, "\(round)", "\(options.count)", wanted.isEmpty ? "none" : wanted.joined(separator: ","),
    ]
    let output = try PeerProcess.output(
      Options.executable(of: peer),
      Options.leading(peer) + arguments,
      environment: [:]
    )
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: "\t")
      guard fields.count == 5, let microseconds = Double(fields[3]), let operations = Double(fields[4]),
        operations > 0
      else { continue }
      report.add(String(fields[1]), peer, seconds: microseconds / 1e6, operations: operations)
    }
  }

  private func reads(_ directory: String, _ report: inout Report) throws {
    let rows = Self.rows.filter { $0.times > 0 && options.rows.contains($0.name) }
    guard !rows.isEmpty else { return }
    var processes: [(peer: String, process: PeerProcess)] = []
    for peer in options.peers {
      let arguments = Options.leading(peer) + ["serve", directory, "0", "\(options.count)"]
      processes.append((peer, try PeerProcess(Options.executable(of: peer), arguments)))
    }
    for _ in 1...options.rounds {
      for row in rows {
        for (peer, process) in processes {
          guard let answer = try process.ask(row.name, times: row.times) else { continue }
          report.add(row.name, peer, seconds: answer.seconds, operations: answer.operations)
        }
      }
    }
    for (_, process) in processes { process.quit() }
  }
}
