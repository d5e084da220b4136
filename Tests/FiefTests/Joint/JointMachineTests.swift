import Fief
import TestEffort
import Testing

@testable import FiefMultiStore

/// The steps of a write to several stores on stores of which only that is there what matters: killed after each
/// step, with any failures, and recovered in any order.
struct JointMachineTests {
  /// A store: what is committed, and what an open transaction has.
  private struct Model {
    var value = 0
    var hasMarker = false
    /// The values that were decided for participants; only the coordinator has some.
    var journal: [Int: Int] = [:]
  }

  private struct World {
    var stores: [Model]
    var held: [Int: Model] = [:]

    /// Does what an action says.
    mutating func perform(_ action: JointMachine.Action, changes: [Bool]) -> JointMachine.Event {
      switch action {
      case .begin(let store):
        if store > 0, !stores[store].hasMarker { return .foreign(store) }
        held[store] = stores[store]
      case .mark(let store): stores[store].hasMarker = true
      case .run:
        for store in stores.indices {
          if changes[store] { held[store]?.value = 1 }
          if store > 0 { held[store]?.hasMarker = false }
        }
        return .changed(changes)
      case .journal(let store):
        let value = held[store]?.value
        held[0]?.journal[store] = value
      case .commit(let store):
        guard let model = held.removeValue(forKey: store) else { return .failed }
        stores[store] = model
      case .replay(let store): finish(store)
      case .clean:
        for store in stores.indices where !stores[store].hasMarker { stores[0].journal[store] = nil }
      case .abort: held = [:]
      case .settle: break
      case .unmark(let store): stores[store].hasMarker = false
      case .decided, .dropped, .undecided: break
      }
      return .succeeded
    }

    mutating func finish(_ store: Int) {
      if stores[store].hasMarker {
        if let value = stores[0].journal[store] { stores[store].value = value }
        stores[store].hasMarker = false
      }
      stores[0].journal[store] = nil
    }

    /// The effect of opening a store.
    mutating func open(_ store: Int) {
      if store > 0 {
        if stores[store].hasMarker { finish(store) }
      } else {
        for participant in stores[0].journal.keys.sorted() { finish(participant) }
      }
    }
  }

  /// - Returns: the first failure.
  private func problem(_ world: World, _ changes: [Bool], mustHave: Bool?) -> String? {
    let count = world.stores.count
    for order in permutations(Array(0..<count)) {
      var world = world
      world.held = [:]
      for (place, store) in order.enumerated() {
        let before = world.stores.map(\.value)
        world.open(store)
        // A store that was opened stays as it is.
        for earlier in order[..<place] where world.stores[earlier].value != before[earlier] {
          return "store \(earlier) changed after its opening, in the order \(order)"
        }
      }
      let has = zip(world.stores, changes).filter(\.1).map { $0.0.value == 1 }
      if Set(has).count > 1 { return "\(world.stores) in the order \(order)" }
      if let mustHave, let first = has.first, first != mustHave {
        return "\(world.stores), reported otherwise"
      }
      if world.stores.contains(where: \.hasMarker) || !world.stores[0].journal.isEmpty {
        return "rows are left: \(world.stores)"
      }
    }
    return nil
  }

  private func permutations(_ items: [Int]) -> [[Int]] {
    if items.count <= 1 { return [items] }
    return items.flatMap { first in permutations(items.filter { $0 != first }).map { [first] + $0 } }
  }

  @Test(arguments: 1...4) func aKillAtAnyStepLeavesAllOrNothing(count: Int) {
    for mask in 0..<(1 << count) {
      let changes = (0..<count).map { mask & (1 << $0) != 0 }
      var world = World(stores: Array(repeating: Model(), count: count))
      var machine = JointMachine(count: count)
      var steps = 0
      while machine.action != .decided(unfinished: []), steps < 100 {
        #expect(problem(world, changes, mustHave: machine.isDecided) == nil, "before \(machine.action)")
        machine.done(world.perform(machine.action, changes: changes))
        steps += 1
      }
      #expect(machine.isDecided && world.held.isEmpty)
      #expect(problem(world, changes, mustHave: true) == nil)
      #expect(!world.stores.contains(where: \.hasMarker) && world.stores[0].journal.isEmpty)
      // Markers, transactions, the closure, journals, commits, and what is cleaned up.
      let journals = changes.dropFirst().count { $0 }
      #expect(steps == 3 * count + journals + (journals > 0 ? 1 : 0), "\(changes)")
    }
  }

  @Test func anyFailuresLeaveAllOrNothing() {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = PieceRandom(seed: seed)
    var outcomes: Set<String> = []
    for _ in 0..<TestEffort.count(400, more: 2_000) {
      let count = 1 + Int(random.next() % 4)
      let changes = (0..<count).map { _ in random.next() % 4 != 0 }
      var world = World(stores: Array(repeating: Model(), count: count))
      var machine = JointMachine(count: count)
      var steps = 0
      loop: while steps < 400 {
        switch machine.action {
        case .decided(let unfinished):
          outcomes.insert(unfinished.isEmpty ? "decided" : "unfinished")
          #expect(problem(world, changes, mustHave: true) == nil, "seed \(seed)")
          // A commit of which it is not known may have taken place.
          let marked = Set((0..<count).filter { world.stores[$0].hasMarker })
          #expect(marked.isSubset(of: unfinished), "seed \(seed)")
          break loop
        case .dropped:
          outcomes.insert("dropped")
          #expect(problem(world, changes, mustHave: false) == nil, "seed \(seed)")
          break loop
        case .undecided:
          outcomes.insert("undecided")
          // Nothing has to be found out here: recovering gives all or nothing.
          #expect(problem(world, changes, mustHave: nil) == nil, "seed \(seed)")
          #expect(world.stores.dropFirst().allSatisfy { $0.hasMarker && $0.value == 0 }, "seed \(seed)")
          break loop
        default: break
        }
        let event = outcome(of: machine.action, &world, changes, &random)
        machine.done(event)
        #expect(problem(world, changes, mustHave: nil) == nil, "seed \(seed), \(machine.action)")
        steps += 1
      }
      #expect(steps < 400 && world.held.isEmpty, "seed \(seed), \(machine.action)")
    }
    #expect(outcomes == ["decided", "unfinished", "dropped", "undecided"])
  }

  private func unknown(_ event: JointMachine.Event) -> JointMachine.Event {
    event == .succeeded ? .unknown : event
  }

  @Test(arguments: 1...4, [false, true]) func anUnknownDecisionIsLeftToTheRecovery(count: Int, isMade: Bool) {
    let changes = Array(repeating: true, count: count)
    var world = World(stores: Array(repeating: Model(), count: count))
    var machine = JointMachine(count: count)
    while machine.action != .commit(0) { machine.done(world.perform(machine.action, changes: changes)) }
    if isMade { _ = world.perform(.commit(0), changes: changes) } else { world.held[0] = nil }
    machine.done(.unknown)
    #expect(machine.action == .abort(growing: nil) && !machine.isDecided)
    // Whether ending the other transactions succeeds changes nothing.
    let failing = machine
    machine.done(world.perform(machine.action, changes: changes))
    #expect(machine.action == .undecided)
    var other = failing
    other.done(.failed)
    #expect(other.action == .undecided)
    #expect(problem(world, changes, mustHave: isMade) == nil)
  }

  /// The outcome of an action; a failed commit of a participant, or of a later step, keeps nothing.
  private func outcome(
    of action: JointMachine.Action,
    _ world: inout World,
    _ changes: [Bool],
    _ random: inout PieceRandom
  ) -> JointMachine.Event {
    let luck = random.next() % 24
    switch action {
    case .commit(0) where luck < 5 && luck > 2:
      // The decision may be there or not.
      if luck == 3 { return unknown(world.perform(action, changes: changes)) }
      world.held[0] = nil
      return .unknown
    case .commit(let store) where luck == 3:
      // The outcome of a participant does not matter: the journal is there.
      if random.next() % 2 == 0 { return unknown(world.perform(action, changes: changes)) }
      world.held[store] = nil
      return .unknown
    case .commit(let store) where luck < 3:
      world.held[store] = nil
      return store == 0 && luck == 0 ? .tooSmall(0) : .failed
    case .mark(let store) where luck == 0:
      // Whether a commit that failed took place is not known.
      if random.next() % 2 == 0 { world.stores[store].hasMarker = true }
      return .failed
    case .begin(let store) where luck < 2: return luck == 0 ? .foreign(store) : .failed
    case .run where luck < 3:
      return luck == 0 ? .tooSmall(Int(random.next() % UInt64(world.stores.count))) : .failed
    case .journal where luck < 2: return luck == 0 ? .tooSmall(0) : .failed
    case .replay where luck < 8, .clean where luck < 2, .unmark where luck < 2, .settle where luck < 2:
      return .failed
    case .abort where luck == 0:
      world.held = [:]
      return .failed
    default: return world.perform(action, changes: changes)
    }
  }
}
