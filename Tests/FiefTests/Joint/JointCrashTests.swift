import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

/// Processes that write to several stores are killed at each step, and the stores opened in every order.
@Suite(.serialized, .timeLimit(.minutes(20))) struct JointCrashTests {
  private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

  private func filled() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let joint = StressJoint(directory: directory.path)
    try joint.fill()
    try joint.transfer(0)
    #expect(try joint.problems() == [])
    joint.close()
    return directory
  }

  private func copy(_ master: TemporaryDirectory) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in StressJoint.names {
      try FileManager.default.createDirectory(
        atPath: directory[name],
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      try FileManager.default.copyItem(
        atPath: master[name + "/data.mdb"],
        toPath: directory[name] + "/data.mdb"
      )
    }
    return directory
  }

  /// Opens the stores one after the other: each has its final state at once.
  ///
  /// - Returns: the number of their rounds.
  private func rounds(_ directory: TemporaryDirectory, _ order: [Int], _ place: String) throws -> Int {
    let joint = StressJoint(directory: directory.path)
    defer { joint.close() }
    let seen = try order.map { try joint.rounds(joint.repositories[$0]) }
    #expect(Set(seen).count == 1, "\(place): \(seen)")
    #expect(try joint.problems() == [], "\(place)")
    return seen[0]
  }

  @Test func aKillAtEachStepLeavesAllOrNothing() throws {
    let master = try filled()
    var outcomes: [String] = []
    for step in 1...100 {
      let crashed = try copy(master)
      let (lines, end) = try CrashChild("joint", crashed.path, "\(step)").finish()
      guard end == .killed else {
        #expect(end == .exited(0) && lines == ["done 1", "end 1"], "\(lines)")
        break
      }
      let name = try #require(lines.last { $0.hasPrefix("killed ") }).dropFirst("killed ".count)
      // In the short form the coordinator is the first, the second or the last one in turn.
      let orders = TestEffort.isLong ? Self.orders : [Self.orders[[0, 2, 3][step % 3]]]
      var found: Set<Int> = []
      for order in orders {
        found.insert(try rounds(try copy(crashed), order, "killed at \(name), opened as \(order)"))
      }
      #expect(found.count == 1, "\(name)")
      outcomes.append("\(name): \(found.first == 2 ? "all" : "none")")
    }
    let none = [
      "begin(0)", "mark(1)", "mark(2)", "begin(1)", "begin(2)", "run", "journal(1)", "journal(2)",
      "commit(0)",
    ]
    let all = ["commit(1)", "commit(2)", "clean", "decided(unfinished: [])"]
    let expected: [String] = none.map { "\($0): none" } + all.map { "\($0): all" }
    #expect(outcomes == expected)
  }

  /// The process that completes a write is killed too, at each of its own steps.
  @Test func aKillWhileItIsCompletedLeavesAllOrNothing() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let master = try filled()
    var kills = 0
    // Killed before the first commit of a marker, with markers, and from the decision on.
    for step in TestEffort.first(3, of: [3, 9, 11, 6, 10, 12]) {
      let crashed = try copy(master)
      let (_, end) = try CrashChild("joint", crashed.path, "\(step)").finish()
      #expect(end == .killed)
      for order in (0..<TestEffort.count(1, more: 2)).map({ _ in Self.orders[random.next(6)] }) {
        for second in 1...40 {
          let again = try copy(crashed)
          let place = "seed \(seed), step \(step), \(order), \(second)"
          let numbers = order.map { "\($0)" }
          let child = try CrashChild(
            "joint-open",
            again.path,
            "\(second)",
            numbers[0],
            numbers[1],
            numbers[2]
          )
          guard child.finish().end == .killed else { break }
          kills += 1
          let found = try rounds(again, Self.orders[random.next(6)], place)
          #expect(found == (step > 9 ? 2 : 1), "\(place)")
        }
      }
    }
    #expect(kills > TestEffort.count(3, more: 20))
  }

  @Test func killsAtAnyMomentLoseNoReportedWrite() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let directory = try filled()
    var last = 1
    for round in 0..<TestEffort.count(8, more: 15) {
      let child = try CrashChild("joint-loop", directory.path, "100000")
      let (lines, end) = try child.kill(microseconds: random.next(40_000), after: "round")
      #expect(end == .killed, "seed \(seed), \(lines.last ?? "")")
      let reported = lines.count { $0.hasPrefix("round") }
      let found = try rounds(directory, Self.orders[random.next(6)], "seed \(seed), round \(round)")
      #expect(found == last + reported || found == last + reported + 1, "seed \(seed), round \(round)")
      last = found
    }
  }

  /// Processes that have the stores open all the time go on after another one was killed.
  @Test func otherProcessesGoOn() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let directory = try filled()
    let joint = StressJoint(directory: directory.path)
    defer { joint.close() }
    var last = 1
    for round in 0..<TestEffort.count(3, more: 8) {
      let child = try CrashChild("joint-loop", directory.path, "100000")
      child.wait(for: "round")
      var own = 0
      for number in 0..<6 {
        try joint.transfer(1_000 + number)
        own += 1
        let repository = joint.repositories[random.next(3)]
        try repository.write { try $0.create(StressTransfer.self, value: ["round": -1]) }
      }
      let (lines, end) = try child.kill(microseconds: random.next(20_000), after: "round")
      #expect(end == .killed, "seed \(seed), \(lines.last ?? "")")
      let reported = lines.count { $0.hasPrefix("round") }
      // Each store is settled by the first write to it.
      for repository in joint.repositories {
        try repository.write { try $0.create(StressTransfer.self, value: ["round": -1]) }
      }
      let rounds = try joint.repositories.map { try joint.rounds($0) }
      #expect(Set(rounds).count == 1, "seed \(seed), round \(round): \(rounds)")
      #expect(rounds[0] - last - own - reported <= 1, "seed \(seed), round \(round)")
      #expect(rounds[0] - last - own - reported >= 0, "seed \(seed), round \(round)")
      last = rounds[0]
      #expect(try joint.money() == joint.expectedMoney, "seed \(seed), round \(round)")
    }
    joint.close()
    #expect(try joint.problems() == [], "seed \(seed)")
  }
}
