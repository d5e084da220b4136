import Fief

@testable import FiefCore

extension WriteQueueModel {
  /// One random event among those that could happen.
  mutating func step() {
    now += Int.random(in: 0...40, using: &generator)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<14: enqueue(.task)
    case 14..<22: enqueue(.left)
    case 22..<36: enqueue(.caller)
    case 36..<42: enqueue(.turn)
    case 42..<54: cancelAny()
    case 54..<57:
      machine.pause()
      if !isClosed { isPaused = true }
    case 57..<61:
      isPaused = false
      carryOut(machine.resume(now: now))
    case 61..<63:
      let count = Int.random(in: 0...3, using: &generator)
      machine.failNext(count, with: InjectedFailure())
    case 63..<64 where Int.random(in: 0..<8, using: &generator) == 0: close()
    case 64..<66: threadStep()
    default: moveSomebody()
    }
    check()
  }

  mutating func close() {
    isClosed = true
    isPaused = false
    carryOut(machine.close(now: now))
  }

  mutating func enqueue(_ kind: Kind) {
    let id = kinds.count
    kinds.append(kind)
    answers.append(0)
    let bytes =
      Int.random(in: 0...9, using: &generator) == 0 ? 500 : Int.random(in: 0...60, using: &generator)
    line.append(id)
    let result: (admission: WriteQueueMachine<Int>.Admission, actions: WriteQueueMachine<Int>.Actions)
    switch kind {
    case .turn:
      if machine.beginTurn(now: now) { return begin([id], as: .turn(id)) }
      result = machine.enqueueTurn(id, now: now)
    case .caller:
      if let batch = machine.beginDirectly(now: now) {
        injected += batch.injected.count
        return begin([id], as: .batch([id]))
      }
      result = machine.enqueue(id, bytes: bytes, canCommit: true, now: now)
    case .task:
      result = machine.enqueue(id, bytes: bytes, canCommit: false, now: now)
    case .left:
      result = machine.leave(id, bytes: bytes, now: now)
    }
    switch result.admission {
    case .full:
      if kind != .left || machine.leftBytes == 0 { fail("\(id) finds the queue full") }
      rejected += 1
      line.removeLast()
      answer(id)
    case .closed:
      if !isClosed { fail("\(id) is refused by an open queue") }
      rejected += 1
      line.removeLast()
      answer(id)
    case .queued(let ticket):
      tickets[id] = ticket
    case .gather(let ticket, let deadline):
      if kind != .caller { fail("\(id) is to gather") }
      leaders[id] = Leader(ticket: ticket, deadline: deadline, isNudged: false)
    }
    if isClosed, case .closed = result.admission {} else if isClosed { fail("\(id) is accepted after close") }
    carryOut(result.actions)
  }

  mutating func cancelAny() {
    // Any task, also one that runs or was answered long ago.
    let recent = kinds.indices.suffix(30).filter { kinds[$0] == .task }
    guard let id = recent.randomElement(using: &generator), let ticket = tickets[id] else { return }
    let isInLine = line.contains(id)
    guard let (entry, actions) = machine.cancel(ticket, now: now) else {
      if isInLine { fail("\(id) cannot be cancelled") }
      return
    }
    if entry != id || !isInLine { fail("\(id) is cancelled and \(entry) leaves") }
    line.removeAll { $0 == id }
    cancelled += 1
    answer(id)
    carryOut(actions)
  }

  /// Takes one step of a producer that can move; false if none can.
  @discardableResult
  mutating func moveSomebody() -> Bool {
    var moves: [(inout Self) -> Void] = []
    if running != .nothing { moves.append { $0.finish() } }
    if isStarting { moves.append { $0.startThread() } }
    if hasThread, !threadRuns, isAwake || threadDeadline != nil { moves.append { $0.threadStep() } }
    for id in leaders.keys.sorted() { moves.append { $0.leaderStep(id) } }
    guard let move = moves.randomElement(using: &generator) else { return false }
    move(&self)
    return true
  }

  mutating func startThread() {
    isStarting = false
    if Int.random(in: 0..<4, using: &generator) > 0 {
      hasThread = true
      isAwake = true
      return
    }
    let (entries, actions) = machine.threadFailed(now: now)
    for id in entries {
      if line.first != id { fail("\(id) fails out of order") }
      line.removeFirst()
      failed += 1
      answer(id)
    }
    carryOut(actions)
  }

  mutating func threadStep() {
    guard hasThread, !threadRuns else { return }
    isAwake = false
    // Now and then a deadline has not passed yet: then the machine must say so again.
    if let threadDeadline, Bool.random(using: &generator) { now = max(now, threadDeadline) }
    threadDeadline = nil
    let (step, actions) = machine.threadStep(now: now)
    switch step {
    case .wait: break
    case .gather(let deadline): threadDeadline = deadline
    case .run(let batch):
      threadRuns = true
      run(batch)
    case .end:
      if hasEnded || !isClosed || !line.isEmpty { fail("the thread ends") }
      hasEnded = true
      hasThread = false
    }
    carryOut(actions)
  }

  mutating func leaderStep(_ id: Int) {
    guard let leader = leaders[id] else { return }
    if !leader.isNudged { now = max(now, leader.deadline) }
    let (step, actions) = machine.gathered(by: leader.ticket, now: now)
    leaders[id] = nil
    switch step {
    case .wait: break
    case .gather(let deadline):
      leaders[id] = Leader(ticket: leader.ticket, deadline: deadline, isNudged: false)
    case .run(let batch): run(batch)
    case .end: fail("a caller is told to end the thread")
    }
    carryOut(actions)
  }

  mutating func finish() {
    let ended = running
    running = .nothing
    now += Int.random(in: 0...200, using: &generator)
    switch ended {
    case .nothing: break
    case .turn(let id):
      answer(id)
      carryOut(machine.endTurn(now: now))
    case .batch(let ids):
      executed += ids.count
      for id in ids { answer(id) }
      carryOut(machine.batchFinished(failures: 0, now: now))
      if threadRuns {
        threadRuns = false
        isAwake = true
      }
    }
  }
}
