import Fief
import Foundation
import Testing

@testable import FiefCore

/// The intervals of throttled observations by themselves.
@Suite struct ObservationRestsTests {
  private var dogs: ObservationInterest { ObservationInterest(types: ["Dog": ColumnSet?.none]) }

  private func inserting(_ number: Int) -> CommittedChanges {
    var changes = ChangeSet()
    changes.insert(ObjectKey(rowID: Int64(number)), "Dog")
    return CommittedChanges(changes: changes)
  }

  private func call(_ machine: inout ObservationMachine, _ id: UInt64, commit: UInt64, restsUntil: Duration?)
    -> Bool
  {
    guard case .evaluate = machine.beginRound(commit, machine.generation) else { return false }
    _ = machine.didEvaluate(id, dogs, hasReport: true)
    guard machine.beginDelivery(id), case .evaluate = machine.pending(id, commit) else { return false }
    return machine.beginCall(id, dogs, restsUntil: restsUntil)
  }

  @Test func changesAreKeptUntilTheIntervalIsOver() {
    var machine = ObservationMachine(isShared: true)
    let id = machine.add(dogs, .waiting)
    #expect(call(&machine, id, commit: 1, restsUntil: .seconds(3)))
    let after = machine.didCall(id)
    #expect(after == .init() && machine.observations[id]?.phase == .resting && !machine.isBusy)
    _ = machine.didCommit([2], [inserting(1)])
    _ = machine.didCommit([3], [inserting(2)])
    guard case .evaluate(let none) = machine.beginRound(3, machine.generation) else {
      Issue.record("not read")
      return
    }
    #expect(none.isEmpty && machine.isBusy && machine.nextRestEnd == .seconds(3))
    let early = machine.endRests(upTo: .seconds(2))
    #expect(early == .init() && machine.observations[id]?.phase == .resting)
    let ended = machine.endRests(upTo: .seconds(3))
    #expect(ended == .init(wakesNotifier: true) && machine.nextRestEnd == nil)
    guard case .evaluate(let work) = machine.beginRound(3, machine.generation) else {
      Issue.record("not read")
      return
    }
    #expect(work.map(\.pending.changes.count) == [2])
  }

  @Test func anIntervalMayEndDuringTheCallOrAWrite() {
    var machine = ObservationMachine(isShared: true)
    let id = machine.add(dogs, .waiting)
    #expect(call(&machine, id, commit: 1, restsUntil: .seconds(3)))
    _ = machine.didCommit([2], [inserting(1)])
    _ = machine.beginRound(2, machine.generation)
    let during = machine.endRests(upTo: .seconds(4))
    #expect(during == .init() && machine.observations[id]?.phase == .calling)
    let after = machine.didCall(id)
    #expect(after == .init(wakesNotifier: true) && machine.observations[id]?.phase == .waiting)
    #expect(call(&machine, id, commit: 2, restsUntil: .seconds(9)))
    _ = machine.didCall(id)
    // A silent write takes a resting one, and finds a report of others.
    guard case .held = machine.hold(id, 2) else {
      Issue.record("not held")
      return
    }
    let held = machine.endRests(upTo: .seconds(8))
    let released = machine.release(id, dogs, hasReport: true, 3)
    #expect(
      held == .init() && released == .init() && machine.observations[id]?.phase == .resting && machine.isBusy
    )
    let ended = machine.endRests(upTo: .seconds(9))
    #expect(ended == .init(schedules: [id]) && machine.observations[id]?.phase == .scheduled)
  }

  @Test func restsComeInTheOrderOfTheirEnds() {
    let seed = UInt64.random(in: 0..<1 << 40)
    var random = SeededGenerator(seed: seed)
    var rests = ObservationRests()
    var model: [(end: Int, id: UInt64)] = []
    for id in 0..<5_000 as Range<UInt64> {
      let end = Int.random(in: 0..<1_000, using: &random)
      rests.insert(id, until: .seconds(end))
      model.append((end, id))
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<4:
        let now = Int.random(in: 0..<1_000, using: &random)
        var removed: Set<UInt64> = []
        var last = Duration.zero
        while let next = rests.next, let id = rests.removeFirst(upTo: .seconds(now)) {
          #expect(next >= last, "seed \(seed)")
          last = next
          removed.insert(id)
        }
        #expect(removed == Set(model.filter { $0.end <= now }.map(\.id)), "seed \(seed)")
        model.removeAll { $0.end <= now }
      case 4:
        let number = UInt64.random(in: 2...5, using: &random)
        rests.removeAll { $0 % number == 0 }
        model.removeAll { $0.id % number == 0 }
      default: break
      }
      #expect(
        rests.next == model.map(\.end).min().map { .seconds($0) } && rests.count == model.count,
        "seed \(seed)"
      )
    }
  }

  @Test func whatIsLeftOfEndedObservationsIsDropped() {
    var machine = ObservationMachine(isShared: false)
    let stays = machine.add(dogs, .idle)
    for _ in 0..<10_000 {
      let id = machine.add(dogs, .idle)
      machine.rest(id, until: .seconds(1_000_000))
      machine.remove(id)
      #expect(machine.rests.count <= 70)
    }
    machine.remove(stays)
    #expect(machine.rests.count == 0)
  }
}
