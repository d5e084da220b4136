import Fief
import TestEffort
import Testing

@testable import FiefCore

/// The threads that evaluate observations, by themselves.
@Suite struct NotifierMachineTests {
  private typealias ID = NotifierMachine.ID

  /// However stores are raised, have times and end: each is worked on by one thread at a time, no raise is lost, and there are
  /// never too many threads.
  @Test func noStoreIsForgotten() {
    let seed = UInt64.random(in: 0..<1 << 40)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<TestEffort.count(4, more: 15) {
      let most = Int.random(in: 1...4, using: &random)
      var machine = NotifierMachine(mostThreads: most)
      var now = 0
      var last: ID = 0
      var known: Set<ID> = []
      /// The stores that have to be worked on, and those that a thread works on.
      var due: Set<ID> = []
      var running: Set<ID> = []
      var times: [ID: Int] = [:]
      /// The number of starting threads, the number of threads that ask for a step next, and the time limits of sleeping threads.
      var starting = 0
      var asking = 0
      var sleeping: [Int?] = []
      func wakeAll() {
        for _ in sleeping { machine.woke() }
        asking += sleeping.count
        sleeping = []
      }
      func carryOut(_ action: NotifierMachine.Action) {
        switch action {
        case .nothing: break
        case .wake: wakeAll()
        case .startThread: starting += 1
        }
      }
      for step in 0..<3_000 {
        let comment: Comment = "seed \(seed), step \(step)"
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          last += 1
          known.insert(last)
          due.insert(last)
          carryOut(machine.add(last))
        case 1, 2:
          guard let id = known.sorted().randomElement(using: &random) else { continue }
          due.insert(id)
          times[id] = nil
          carryOut(machine.raise(id))
        case 3:
          #expect(machine.raise(last + 1) == .nothing)
        case 4:
          now += Int.random(in: 0...20, using: &random)
          if sleeping.contains(where: { $0.map { $0 <= now } == true }) { wakeAll() }
          for (id, time) in times where time <= now {
            due.insert(id)
            times[id] = nil
          }
        case 5, 6:
          guard starting + asking > 0 else { continue }
          let isNew = Int.random(in: 0..<starting + asking, using: &random) < starting
          if isNew { starting -= 1 } else { asking -= 1 }
          let (step, action) = machine.next(now: now, isNew: isNew)
          switch step {
          case .work(let id):
            #expect(due.remove(id) != nil && running.insert(id).inserted, comment)
          case .sleep(let time):
            #expect(due.subtracting(running).isEmpty && time == times.values.min(), comment)
            sleeping.append(time)
          case .end: wakeAll()
          }
          carryOut(action)
        default:
          guard let id = running.sorted().randomElement(using: &random) else { continue }
          running.remove(id)
          asking += 1
          switch Int.random(in: 0..<6, using: &random) {
          case 0:
            // It has observations again, in the moment in which it had none.
            let isAdded = Bool.random(using: &random)
            if isAdded {
              due.insert(id)
              carryOut(machine.add(id))
            } else {
              known.remove(id)
              due.remove(id)
            }
            #expect(machine.done(id, .ended) == isAdded, comment)
          case 1:
            due.insert(id)
            #expect(machine.done(id, .again) == true, comment)
          case 2:
            let time = now + Int.random(in: 1...30, using: &random)
            if !due.contains(id) { times[id] = time }
            #expect(machine.done(id, .waits(until: time)) == true, comment)
          default: #expect(machine.done(id, .waits(until: nil)) == true, comment)
          }
        }
        #expect(
          machine.threads == starting + asking + sleeping.count + running.count
            && machine.threads <= most,
          comment
        )
        // A store that is due has a thread that is going to ask.
        #expect(due.subtracting(running).isEmpty || starting + asking > 0 || running.count == most, comment)
        // A thread sleeps for the first time, unless one is going to ask.
        if let time = times.values.min(), starting + asking == 0, running.count < most {
          #expect(sleeping.contains { $0.map { $0 <= time } == true }, comment)
        }
      }
    }
  }

  @Test func storesWhoseTimesComeTogetherAreWorkedOnTogether() {
    var machine = NotifierMachine(mostThreads: 16)
    for id in 1...5 as ClosedRange<ID> { #expect(machine.add(id) == .startThread) }
    for id in 1...5 as ClosedRange<ID> {
      let (step, _) = machine.next(now: 0, isNew: true)
      #expect(step == .work(id))
      #expect(machine.done(id, .waits(until: 10)) == true)
    }
    let steps = (0..<5).map { _ in machine.next(now: 1, isNew: false).step }
    #expect(steps == [.sleep(until: 10), .sleep(until: 10), .end, .end, .end])
    // Both sleeping threads wake. All stores are begun before a thread is done with one of them.
    var asking = [false, false]
    for _ in 0..<2 { machine.woke() }
    var running: Set<ID> = []
    while let isNew = asking.popLast() {
      let (step, action) = machine.next(now: 10, isNew: isNew)
      if action == .startThread { asking.append(true) }
      if case .work(let id) = step { running.insert(id) }
    }
    #expect(running == [1, 2, 3, 4, 5])
  }

  @Test func aThreadSleepsUntilATimeWhileTheOthersWork() {
    var machine = NotifierMachine(mostThreads: 16)
    #expect(machine.add(1) == .startThread)
    let first = machine.next(now: 0, isNew: true)
    #expect(first.step == .work(1) && first.action == .nothing)
    #expect(machine.done(1, .waits(until: 10)) == true)
    let second = machine.next(now: 0, isNew: false)
    #expect(second.step == .sleep(until: 10))
    #expect(machine.add(2) == .wake)
    machine.woke()
    let third = machine.next(now: 1, isNew: false)
    #expect(third.step == .work(2) && third.action == .startThread)
    let fourth = machine.next(now: 2, isNew: true)
    #expect(fourth.step == .sleep(until: 10) && fourth.action == .nothing)
  }

  @Test func aStartingThreadIsNotStartedTwice() {
    var machine = NotifierMachine(mostThreads: 16)
    #expect(machine.add(1) == .startThread && machine.add(2) == .startThread)
    #expect(machine.next(now: 0, isNew: true).step == .work(1))
    #expect(machine.done(1, .again) == true)
    // The thread of the second store has not asked yet, and takes one of both stores.
    let next = machine.next(now: 0, isNew: false)
    #expect(next.step == .work(2) && next.action != .startThread && machine.threads == 2)
  }

  @Test func withoutAThreadTheStoresAreNamed() {
    var machine = NotifierMachine(mostThreads: 2)
    #expect(machine.add(1) == .startThread && machine.add(2) == .startThread)
    #expect(machine.startFailed() == [])
    #expect(machine.startFailed() == [1, 2])
    #expect(machine.raise(1) == .nothing && machine.threads == 0)
    #expect(machine.add(1) == .startThread)
  }
}
