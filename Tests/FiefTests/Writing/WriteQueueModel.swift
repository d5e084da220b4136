import Fief

@testable import FiefCore

/// Random numbers that a seed repeats.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// A world around a machine: producers, a thread that only moves when it was woken, callers that gather.
///
/// It carries out the machine's actions as the real queue does, but in any order that threads could take, and
/// notes the first violation of a guarantee.
struct WriteQueueModel {
  enum Kind { case task, caller, left, turn }
  enum Running: Equatable {
    case nothing
    case batch([Int])
    case turn(Int)
  }
  struct Leader { var ticket: UInt64, deadline: Int, isNudged: Bool }
  struct InjectedFailure: Error {}

  var machine: WriteQueueMachine<Int>
  var generator: SeededGenerator
  var now = 0
  var kinds: [Kind] = []
  var answers: [Int] = []
  /// The works that are accepted and have not begun, in the order of arrival.
  var line: [Int] = []
  var tickets: [Int: UInt64] = [:]
  var leaders: [Int: Leader] = [:]
  var running = Running.nothing
  var isClosed = false
  var isPaused = false
  var cancelled = 0, injected = 0, failed = 0, rejected = 0, executed = 0
  // The thread: whether it exists, it is being started, it was woken, or sleeps until a deadline.
  var hasThread = false, isStarting = false, isAwake = false, hasEnded = false
  var threadDeadline: Int?
  /// The thread runs the batch, and asks again when it is done.
  var threadRuns = false
  var problem: String?

  init(limits: WriteQueueLimits, seed: UInt64) {
    machine = WriteQueueMachine(limits: limits)
    generator = SeededGenerator(seed: seed)
  }

  mutating func fail(_ text: String) {
    if problem == nil { problem = "\(text); running \(running), line \(line), phase \(machine.phase)" }
  }

  mutating func carryOut(_ actions: WriteQueueMachine<Int>.Actions) {
    switch actions.thread {
    case .none: break
    case .start:
      if hasThread || isStarting { fail("a second thread is started") }
      isStarting = true
    case .wake: isAwake = true
    }
    if let id = actions.granted {
      begin([id], as: .turn(id))
      if kinds[id] != .turn { fail("item \(id) is granted a turn") }
    }
    if let id = actions.nudged {
      if leaders[id] == nil { fail("\(id) is nudged and gathers nothing") }
      leaders[id]?.isNudged = true
    }
  }

  mutating func begin(_ ids: [Int], as what: Running) {
    if running != .nothing { fail("\(what) begins while another runs") }
    if isPaused { fail("\(what) begins while paused") }
    if Array(line.prefix(ids.count)) != ids { fail("\(what) is out of order") }
    line.removeFirst(min(ids.count, line.count))
    running = what
  }

  mutating func run(_ batch: WriteQueueMachine<Int>.Batch) {
    if batch.entries.isEmpty { fail("an empty batch") }
    if batch.entries.count > machine.limits.maximumBatch { fail("a batch above the limit") }
    if batch.entries.contains(where: { kinds[$0] == .turn }) { fail("a turn in a batch") }
    begin(batch.entries, as: .batch(batch.entries))
    injected += batch.injected.count
  }

  mutating func answer(_ id: Int) {
    answers[id] += 1
    leaders[id] = nil
    if answers[id] > 1 { fail("\(id) is answered \(answers[id]) times") }
  }

  mutating func check() {
    let statistics = machine.statistics
    if statistics.pending > machine.limits.maximumPending { fail("\(statistics.pending) pending") }
    if statistics.pending > 1, machine.pendingBytes > machine.limits.maximumPendingBytes {
      fail("\(machine.pendingBytes) bytes pending")
    }
    let left = line.count { kinds[$0] == .left }
    if machine.pendingLeft > left || (machine.leftBytes == 0) != (left == 0) {
      fail("\(machine.pendingLeft) of \(left) left, with \(machine.leftBytes) bytes")
    }
    if statistics.pending + statistics.waitingForRoom != line.count {
      fail("\(statistics.pending) + \(statistics.waitingForRoom) in line")
    }
    if statistics.pending == 0, statistics.waitingForRoom > 0 { fail("kept waiting without need") }
    let isQuiet = running == .nothing && (line.isEmpty || isPaused)
    if machine.isQuiet, !isQuiet { fail("quiet too early") }
  }
}
