import FiefTorture
import Foundation

/// Kills a process that changes the key of a store, encrypts it, encrypts it once more or decrypts it, lets its calls fail, its disk be full
/// and the power be cut; then looks at which key opens the store, what it has, and whether anything is in clear in any file.
struct Keys: TortureTest {
  static let name = "keys"
  static let roles: [String: Role] = [
    "key-stores": { try KeyProcess.prepare($0.rest.first ?? "") },
    "key-change": { try KeyProcess.run($0) },
    "key-content": { KeyContent.show($0) },
  ]

  private let setting: TortureSetting
  private let runs: KeyRuns

  init(_ setting: TortureSetting) throws {
    self.setting = setting
    runs = try KeyRuns(setting)
  }

  // MARK: The test

  func run() throws -> Outcome {
    say("keys: seed \(setting.seed)")
    var random = TortureRandom(seed: setting.seed)
    let isShort = if case .short = setting.effort { true } else { false }
    var faults: [KeyFault] = []
    for change in KeyChange.allCases {
      let (calls, time) = try runs.extent(of: change)
      say("keys: \(change.rawValue): \(calls) calls, \(time) microseconds")
      let kills = setting.effort.count(short: 1, command: 100, night: 2_000)
      faults += (0..<kills).map { _ in KeyFault(change, .time(random.next(time * 5 / 4))) }
      faults += Self.spread(kills, over: calls, &random).map { Self.call(change, EIO, .kill, $0) }
      guard !isShort else {
        // Some of these calls do not end with this error.
        let code = random.next(2) == 0 ? EIO : ENOSPC
        faults.append(
          Self.call(change, code, .once, 1 + random.next(code == EIO ? calls * 3 / 4 : calls / 5))
        )
        continue
      }
      let failures = setting.effort.count(short: 0, command: 12, night: 300)
      for (code, mode) in [(EIO, CallFault.Mode.once), (EIO, .ever), (ENOSPC, .once), (ENOSPC, .ever)] {
        let calls = try runs.extent(of: change, code).calls
        faults += Self.spread(failures, over: calls, &random).map { Self.call(change, code, mode, $0) }
      }
    }
    var outcome = try runs.runAll(faults)
    let cuts = setting.effort.count(short: 1, command: 40, night: 1_000)
    outcome.add(try KeyCuts(runs).run(count: cuts, KeyChange.allCases, .none))
    do {
      // A change of the key alone needs no room for a copy.
      let copying = KeyChange.allCases.filter { $0 != .change }
      let changes = isShort ? [copying[random.next(copying.count)]] : copying
      let count = setting.effort.count(short: 1, command: 10, night: 100)
      outcome.add(try runs.runOnSmallDisk(changes, count: count, &random))
    } catch let skipped as Skipped { say("keys: a full disk: SKIPPED: \(skipped.reason)") }
    return outcome
  }

  private static func call(_ change: KeyChange, _ error: Int32, _ mode: CallFault.Mode, _ call: Int)
    -> KeyFault
  {
    KeyFault(change, .call(CallFault(error: error, mode: mode, call: call)))
  }

  /// A number in each of as many equal parts as are wanted; all of them where there are no more.
  private static func spread(_ wanted: Int, over total: Int, _ random: inout TortureRandom) -> [Int] {
    let count = min(wanted, total)
    return (0..<count).map { part in
      let (start, end) = (part * total / count, (part + 1) * total / count)
      return 1 + start + random.next(end - start)
    }
  }

  func control() throws -> ControlOutcome {
    var random = TortureRandom(seed: setting.seed)
    let count = setting.effort.count(short: 3, command: 16, night: 60)
    let needed = max(1, count / 4)
    var (found, rounds) = (0, 0)
    // A run shows a defect only if it ends at the right call, so few runs may miss it: up to five rounds are made.
    func find(_ round: (Int) throws -> Outcome) throws {
      var (number, part) = (0, 0)
      while number < needed, part < 5 {
        number += Set(try round(part).findings.map(\.repetition)).count
        part += 1
      }
      found += min(number, needed)
      rounds += part
    }
    for defect in KeyFault.Defect.allCases {
      // In the second half the store is in clear.
      let calls = try runs.extent(of: .reencrypt, defect: defect).calls
      try find { _ in
        let faults = Self.spread(count, over: calls * 3 / 10, &random).map {
          var fault = Self.call(.reencrypt, EIO, .kill, calls * 6 / 10 + $0)
          fault.defect = defect
          return fault
        }
        return try runs.runAll(faults)
      }
    }
    try find { try KeyCuts(runs).run(count: count, [.reencrypt], .noSynchronisation, from: $0 * count) }
    return ControlOutcome(
      defect:
        "writes that are acknowledged before their commit, a re-encryption by way of a store in clear, and a disk on which "
        + "a synchronisation does nothing",
      // Each of the three has to be found.
      found: found,
      runs: rounds * count,
      needed: 3 * needed
    )
  }

  func runOnce() throws -> Outcome {
    let fault = try KeyFault(setting.arguments)
    let (outcome, lines) = try runs.runOne(fault)
    lines.forEach { say($0) }
    return outcome
  }
}
