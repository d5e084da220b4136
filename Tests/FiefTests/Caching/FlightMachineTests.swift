import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefOperations

/// The sharing of fetches by itself.
@Suite struct FlightMachineTests {
  private func key(_ number: Int) -> FlightKey {
    FlightKey(store: 1, type: 1, key: ObjectKey(rowID: Int64(number)))
  }

  @Test func callsOfOneKeyShareAFlight() {
    var machine = FlightMachine()
    let first = machine.join(key(1), 1)
    #expect(first == 1)
    #expect(machine.join(key(1), 2) == nil && machine.join(key(2), 3) == 2)
    #expect(machine.isOnItsWay(1))
    #expect(machine.land(1) == [1, 2])
    #expect(!machine.isOnItsWay(1) && machine.land(1) == [])
    #expect(machine.leave(1) == .tooLate)
    #expect(machine.join(key(1), 4) == 3)
    #expect(machine.land(3) == [4] && machine.land(2) == [3] && machine.isEmpty)
  }

  @Test func theLastCallThatLeavesCancelsTheFlight() {
    var machine = FlightMachine()
    _ = machine.join(key(1), 1)
    _ = machine.join(key(1), 2)
    #expect(machine.leave(1) == .left && machine.leave(1) == .tooLate)
    #expect(machine.leave(2) == .cancels(1))
    // Another call starts another flight, and the end of the cancelled one does not concern it.
    #expect(machine.join(key(1), 3) == 2)
    #expect(machine.land(1) == [] && machine.isOnItsWay(2) && machine.land(2) == [3] && machine.isEmpty)
  }

  @Test func aRefreshIsHeldUntilItLands() {
    var machine = FlightMachine()
    #expect(
      machine.join(key(1), nil) == 1 && machine.join(key(1), nil) == nil && machine.join(key(1), 1) == nil
    )
    #expect(machine.leave(1) == .left && machine.isOnItsWay(1))
    #expect(machine.land(1) == [] && machine.isEmpty)
  }

  @Test func anInvalidatedFlightIsOutdatedOnce() {
    var machine = FlightMachine()
    machine.invalidate(key(1))
    #expect(machine.join(key(1), 1) == 1)
    var answers = [machine.takeOutdated(1)]
    machine.invalidate(key(2))
    answers.append(machine.takeOutdated(1))
    machine.invalidate(key(1))
    machine.invalidate(key(1))
    for flight: UInt64 in [1, 1, 9] { answers.append(machine.takeOutdated(flight)) }
    #expect(answers == [false, false, true, false, false])
    #expect(machine.land(1) == [1] && machine.isEmpty)
  }

  /// However calls come, leave and flights land: each call has one end, and at most one flight of a key is on its way.
  @Test func randomCallsEndOnce() {
    let seed = UInt64.random(in: 0..<1 << 40)
    var random = SeededGenerator(seed: seed)
    var machine = FlightMachine()
    var flying: [UInt64: Int] = [:]
    var calls: Set<UInt64> = []
    var last: UInt64 = 0
    for step in 0..<TestEffort.count(4_000, more: 20_000) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let number = Int.random(in: 0..<5, using: &random)
        let isRefresh = Int.random(in: 0..<8, using: &random) == 0
        last += 1
        if !isRefresh { calls.insert(last) }
        if let flight = machine.join(key(number), isRefresh ? nil : last) {
          #expect(!flying.values.contains(number), "seed \(seed), step \(step)")
          flying[flight] = number
        }
      case 2:
        guard let call = calls.sorted().randomElement(using: &random) else { continue }
        let leaving = machine.leave(call)
        #expect(leaving != .tooLate, "seed \(seed), step \(step)")
        calls.remove(call)
        if case .cancels(let flight) = leaving { flying[flight] = nil }
      default:
        guard let flight = flying.keys.sorted().randomElement(using: &random) else { continue }
        flying[flight] = nil
        let landed = machine.land(flight)
        #expect(calls.isSuperset(of: landed), "seed \(seed), step \(step)")
        calls.subtract(landed)
      }
      #expect(Set(flying.keys) == Set(flying.keys.filter(machine.isOnItsWay)))
    }
    for flight in flying.keys { calls.subtract(machine.land(flight)) }
    #expect(calls.isEmpty && machine.isEmpty, "seed \(seed)")
  }
}
