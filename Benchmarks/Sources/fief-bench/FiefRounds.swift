import Foundation

/// The workload of one process: Fief's answer to `main` in `Peers/driver.hpp`, with its protocol.
struct FiefRounds {
  let directory: String
  let round: Int
  let persons: [StoredPerson]
  let randomKeys: [Int]
  let expected: Expectation

  init(directory: String, round: Int, count: Int) throws {
    self.directory = directory + "/fief"
    self.round = round
    persons = (1...count).map { StoredPerson(Person(id: $0)) }
    var random = SplitMix(state: 12345)
    randomKeys = (0..<100_000).map { _ in 1 + Int(random.next() % UInt64(count)) }
    expected = Expectation(persons: persons, randomKeys: randomKeys)
    try? FileManager.default.removeItem(atPath: self.directory)
    try FileManager.default.createDirectory(atPath: self.directory, withIntermediateDirectories: true)
  }

  private var plain: String { directory + "/P" }

  /// Keeps a store open and answers `ROW k` with the seconds of one of `k` runs, and its operations.
  func serve() throws {
    let loader = try FiefPeer(plain)
    try loader.insert(persons)
    loader.close()
    try Files.synchronize(plain)
    let peer = try FiefPeer(plain)
    try peer.verify(count: persons.count, full: expected.sumFull)
    defer {
      peer.close()
      try? FileManager.default.removeItem(atPath: directory)
    }
    Files.print("READY")
    while let line = readLine() {
      let fields = line.split(separator: " ")
      guard let row = fields.first, row != "quit" else { break }
      let times = fields.count > 1 ? Int(fields[1]) ?? 1 : 1
      guard let operations = try run(String(row), peer) else {
        Files.print("NONE")
        continue
      }
      let start = Clock.now
      for _ in 0..<times { _ = try run(String(row), peer) }
      Files.print("\(Double(Clock.now - start) / 1e9 / Double(times)) \(operations)")
    }
  }

  private func run(_ row: String, _ peer: FiefPeer) throws -> Int? {
    switch row {
    case "C": try check(row, try peer.pointReads(randomKeys), expected.randomSum)
    case "C_tx": try check(row, peer.pointReadsWithAScopeEach(randomKeys), expected.randomSum)
    case "C_repo": try check(row, peer.pointReadsOfTheRepository(randomKeys), expected.randomSum)
    case "D":
      let found = try peer.scan(Digest.cheap)
      try check(row, UInt64(found.count), UInt64(persons.count))
      try check(row, found.sum, expected.sumDigest)
      return persons.count
    case "J":
      try check(row, UInt64(try peer.count()), UInt64(persons.count))
      return 1
    default: return nil
    }
    return randomKeys.count
  }

  private func check(_ row: String, _ found: UInt64, _ wanted: UInt64) throws {
    guard found == wanted else { throw BenchmarkError("row \(row): \(found), and it should be \(wanted)") }
  }

  /// Runs the rows that write or open, and prints a line for each figure.
  func run(rows: Set<String>) throws {
    var peer = try FiefPeer(plain)
    emit("A", try Clock.time { try peer.insert(persons) }, persons.count)
    peer.close()
    try Files.synchronize(plain)
    peer = try FiefPeer(plain)
    try peer.verify(count: persons.count, full: expected.sumFull)
    peer.close()
    if rows.contains("B") { try singleInserts() }
    if rows.contains("M") { try opening() }
    try FileManager.default.removeItem(atPath: directory)
  }

  private func singleInserts() throws {
    let copy = directory + "/W"
    try FileManager.default.copyItem(atPath: plain, toPath: copy)
    try Files.synchronize(copy)
    let more = (1...2000).map { StoredPerson(Person(id: persons.count + $0)) }
    var peer = try FiefPeer(copy)
    emit("B", try Clock.time { for person in more { try peer.insertOne(person) } }, more.count)
    peer.close()
    peer = try FiefPeer(copy)
    let full = more.reduce(expected.sumFull) { $0 &+ Digest.full($1) }
    try peer.verify(count: persons.count + more.count, full: full)
    peer.close()
  }

  private func opening() throws {
    var inside: [Double] = []
    for index in 0..<10 {
      let key = randomKeys[index]
      let output = try PeerProcess.output(
        CommandLine.arguments[0],
        ["fief", "open", plain, "\(key)"],
        environment: [:]
      )
      let fields = output.split(whereSeparator: \.isWhitespace)
      guard fields.count == 2, let seconds = Double(fields[0]), let digest = UInt64(fields[1]) else {
        throw BenchmarkError("row M: the child said '\(output)'")
      }
      try check("M", digest, Digest.cheap(persons[key - 1]))
      inside.append(seconds)
    }
    emit("M.inproc", Int(inside.sorted()[inside.count / 2] * 1e9), 1)
  }

  /// A line as the C++ peers print it: peer, row, round, microseconds, operations.
  private func emit(_ row: String, _ nanoseconds: Int, _ operations: Int) {
    Files.print("fief\t\(row)\t\(round)\t\(Double(nanoseconds) / 1000)\t\(operations)")
  }
}
