import Fief
import FiefStress
import TestEffort
import Testing

@testable import FiefCore

/// The state machine of observations by itself: when each is evaluated, and that none misses a commit.
struct ObservationMachineTests {
  private func key(_ number: Int) -> ObjectKey { ObjectKey(rowID: Int64(number)) }

  private func inserting(_ number: Int, _ type: String = "Dog") -> CommittedChanges {
    var changes = ChangeSet()
    changes.insert(key(number), type)
    return CommittedChanges(changes: changes)
  }

  private var dogs: ObservationInterest { ObservationInterest(types: ["Dog": ColumnSet?.none]) }

  @Test func aCommitLeadsTheObservationsThatItConcernsThroughAllPhases() {
    var machine = ObservationMachine(isShared: true)
    let dog = machine.add(dogs, .starting)
    let cat = machine.add(ObservationInterest(types: ["Cat": ColumnSet?.none]), .starting)
    let started = machine.didStart(dog, dogs, 7)
    #expect(started == ObservationMachine.Actions())
    _ = machine.didStart(cat, machine.observations[cat]?.interest ?? dogs, 7)
    machine.willCommit()
    let told = machine.didCommit([8], [inserting(1)])
    #expect(told == .init(wakesNotifier: true))
    guard case .evaluate(let work) = machine.beginRound(8, machine.generation) else {
      return #expect(Bool(false), "too early")
    }
    #expect(work.map(\.id) == [dog] && work.first?.pending.changes.types["Dog"]?.inserted == [key(1)])
    #expect(machine.observations[cat]?.phase == .idle)
    let looked = machine.didEvaluate(dog, dogs, hasReport: true)
    #expect(looked == .init(schedules: [dog]))
    let (begins, again) = (machine.beginDelivery(dog), machine.beginDelivery(dog))
    #expect(begins && !again)
    guard case .evaluate(let pending) = machine.pending(dog, 8) else { return #expect(Bool(false)) }
    #expect(pending.isEmpty)
    let actions = machine.didDeliver(dog, dogs)
    #expect(actions == ObservationMachine.Actions())
    #expect(!machine.isBusy)
  }

  @Test func roundRetriesWhileACommitIsUnpublished() {
    var machine = ObservationMachine(isShared: true)
    let id = machine.add(dogs, .starting)
    _ = machine.didStart(id, dogs, 1)
    _ = machine.didCommit([2], [inserting(1)])
    machine.willCommit()
    guard case .unpublished = machine.beginRound(3, machine.generation) else {
      return #expect(Bool(false), "not waited for")
    }
    guard case .evaluate = machine.beginRound(2, machine.generation) else {
      return #expect(Bool(false), "the one before is known")
    }
    _ = machine.didEvaluate(id, dogs, hasReport: true)
    let begins = machine.beginDelivery(id)
    guard case .unpublished = machine.pending(id, 3) else { return #expect(Bool(false), "not waited for") }
    let parking = machine.park(id)
    #expect(parking == .init())
    #expect(begins)
    #expect(machine.observations[id]?.phase == .parked)
    let told = machine.didCommit([3], [inserting(2)])
    #expect(told == .init(wakesNotifier: true, schedules: [id]))
    let beginsAgain = machine.beginDelivery(id)
    guard case .stale = machine.pending(id, 1) else { return #expect(Bool(false), "an older state") }
    guard case .evaluate(let pending) = machine.pending(id, 3) else { return #expect(Bool(false)) }
    #expect(beginsAgain && pending.changes.types["Dog"]?.inserted == [key(2)])
  }

  @Test func commitsOfOtherProcessesMakeAllChangesUnknown() {
    var machine = ObservationMachine(isShared: true)
    let id = machine.add(dogs, .starting)
    _ = machine.didStart(id, dogs, 1)
    let (known, new) = (machine.noteCommitOfFile(1), machine.noteCommitOfFile(2))
    #expect(known == ObservationMachine.Actions() && new == .init(wakesNotifier: true))
    guard case .evaluate(let none) = machine.beginRound(1, machine.generation) else {
      return #expect(Bool(false))
    }
    #expect(none.isEmpty && !machine.isBusy, "nothing has come")
    guard case .evaluate(let work) = machine.beginRound(3, machine.generation) else {
      return #expect(Bool(false))
    }
    #expect(work.first?.pending.isUnknown == true)
    _ = machine.didEvaluate(id, dogs, hasReport: false)
    // Another process commits between two commits of this one.
    _ = machine.didCommit([5], [inserting(1)])
    guard case .evaluate(let gap) = machine.beginRound(5, machine.generation) else {
      return #expect(Bool(false))
    }
    #expect(gap.first?.pending.isUnknown == true)
    // A store in memory has no other processes: a missing number has changed nothing.
    var alone = ObservationMachine(isShared: false)
    let own = alone.add(dogs, .starting)
    _ = alone.didStart(own, dogs, 1)
    guard case .evaluate(let nothing) = alone.beginRound(4, alone.generation) else {
      return #expect(Bool(false))
    }
    #expect(nothing.isEmpty)
  }

  /// This holds also where the store was not observed when the commit began, or where the last observation
  /// ended and another began meanwhile.
  @Test(arguments: [false, true]) func anObservationThatBeginsDuringACommitWaitsForIt(isShared: Bool) {
    var machine = ObservationMachine(isShared: isShared)
    let first = isShared ? machine.add(dogs, .waiting) : 0
    machine.willCommit()
    machine.remove(first)
    let before = machine.generation
    let id = machine.add(dogs, .waiting)
    // A state that was read before it came may be without what was committed before it came.
    guard case .stale = machine.beginRound(1, before) else { return #expect(Bool(false), "a stale state") }
    guard case .unpublished = machine.beginRound(2, machine.generation) else {
      return #expect(Bool(false), "not waited for")
    }
    let told = machine.didCommit([2], [CommittedChanges()])
    #expect(told == .init(wakesNotifier: true))
    guard case .evaluate(let work) = machine.beginRound(2, machine.generation) else {
      return #expect(Bool(false))
    }
    #expect(work.map(\.id) == [id])
    _ = machine.didEvaluate(id, dogs, hasReport: false)
    #expect(!machine.isBusy)
    // The end of the commit counts without observations too.
    machine.remove(id)
    machine.willCommit()
    #expect(!machine.isBusy)
    _ = machine.didNotCommit()
    _ = machine.add(dogs, .waiting)
    guard case .evaluate = machine.beginRound(2, machine.generation) else { return #expect(Bool(false)) }
  }

  @Test func pendingChangesAreBounded() {
    var machine = ObservationMachine(isShared: true, limit: 10)
    let id = machine.add(dogs, .starting)
    _ = machine.didStart(id, dogs, 1)
    for number in 0..<1_000 {
      _ = machine.didCommit([UInt64(number + 2)], [inserting(number)])
      #expect(machine.undistributed.count <= 11)
      if number == 500 {
        guard case .evaluate(let work) = machine.beginRound(502, machine.generation) else {
          return #expect(Bool(false))
        }
        #expect(work.first?.pending.isUnknown == true)
      }
      if number > 500 { _ = machine.distribute(upTo: UInt64(number + 2)) }
      #expect(machine.observations[id]?.pending.changes.count ?? 0 <= 10)
    }
    #expect(machine.observations[id]?.pending.isUnknown == true)
  }

  @Test func silentChangesArePendingForOtherObservationsOnly() {
    var machine = ObservationMachine(isShared: true)
    let (quiet, other) = (machine.add(dogs, .starting), machine.add(dogs, .starting))
    for id in [quiet, other] { _ = machine.didStart(id, dogs, 1) }
    _ = machine.didCommit([2], [inserting(1)])
    // Earlier changes of others are evaluated by the write.
    guard case .held(let before) = machine.hold(quiet, 2) else { return #expect(Bool(false)) }
    #expect(before.changes.types["Dog"]?.inserted == [key(1)])
    guard case .busy = machine.hold(quiet, 2) else { return #expect(Bool(false)) }
    var part = inserting(2)
    part.silent = [quiet]
    _ = machine.didCommit([3], [part])
    let released = machine.release(quiet, dogs, hasReport: true, 3)
    #expect(released == .init(schedules: [quiet]))
    // No older snapshot may evaluate it.
    guard case .stale = machine.beginRound(2, machine.generation),
      case .evaluate(let work) = machine.beginRound(3, machine.generation)
    else {
      return #expect(Bool(false))
    }
    #expect(work.map(\.id) == [other] && work.first?.pending.changes.count == 2)
  }

  /// A write may come while the handler is called, and while its delivery is scheduled.
  @Test func silentWritesWaitForNoHandler() {
    var machine = ObservationMachine(isShared: true)
    let id = machine.add(dogs, .starting)
    _ = machine.didStart(id, dogs, 1)
    _ = machine.didCommit([2], [inserting(1)])
    guard case .evaluate = machine.beginRound(2, machine.generation) else { return #expect(Bool(false)) }
    guard case .busy = machine.hold(id, 2) else { return #expect(Bool(false)) }
    _ = machine.didEvaluate(id, dogs, hasReport: true)
    // The observation is scheduled: its delivery comes while the write goes on, and is scheduled again after it.
    guard case .held = machine.hold(id, 2) else { return #expect(Bool(false)) }
    let beginsWhileHeld = machine.beginDelivery(id)
    #expect(!beginsWhileHeld)
    _ = machine.didCommit([3], [])
    let first = machine.release(id, dogs, hasReport: true, 3)
    #expect(first == .init(schedules: [id]))
    let begins = machine.beginDelivery(id)
    #expect(begins)
    guard case .evaluate = machine.pending(id, 3), case .busy = machine.hold(id, 3) else {
      return #expect(Bool(false))
    }
    let isCalled = machine.beginCall(id, dogs)
    #expect(isCalled)
    // Called: the write ends first, or the handler.
    guard case .held = machine.hold(id, 3) else { return #expect(Bool(false)) }
    _ = machine.didCommit([4], [])
    let second = machine.release(id, dogs, hasReport: true, 4)
    #expect(second == .init())
    guard case .held = machine.hold(id, 4) else { return #expect(Bool(false)) }
    let end = machine.didCall(id)
    #expect(end == .init() && !machine.needsRound)
    // The write is rolled back: the observation is evaluated again.
    let third = machine.release(id, dogs, hasReport: false, nil)
    #expect(third == .init(wakesNotifier: true))
    guard case .evaluate(let work) = machine.beginRound(4, machine.generation) else {
      return #expect(Bool(false))
    }
    #expect(work.first?.pending.isUnknown == true)
    machine.remove(id)
    guard case .ended = machine.hold(id, 4) else { return #expect(Bool(false)) }
  }

  /// An observation's executor may be the main thread. But however much others commit, its handler is called.
  @Test func theNotifierEvaluatesUnknownChanges() {
    var machine = ObservationMachine(isShared: true)
    let id = machine.add(dogs, .starting)
    _ = machine.didStart(id, dogs, 1)
    _ = machine.didCommit([2], [inserting(1)])
    guard case .evaluate = machine.beginRound(2, machine.generation) else { return #expect(Bool(false)) }
    _ = machine.didEvaluate(id, dogs, hasReport: true)
    let begins = machine.beginDelivery(id)
    // Another process has committed meanwhile.
    guard begins, case .none = machine.pending(id, 3) else { return #expect(Bool(false)) }
    guard case .evaluate(let work) = machine.beginRound(3, machine.generation) else {
      return #expect(Bool(false))
    }
    #expect(work.map(\.id) == [id] && work.first?.pending.isUnknown == true)
    let actions = machine.didEvaluate(id, dogs, hasReport: true)
    let beginsAgain = machine.beginDelivery(id)
    #expect(actions == .init(schedules: [id]) && beginsAgain)
    guard case .evaluate(let pending) = machine.pending(id, 4) else { return #expect(Bool(false)) }
    #expect(pending.isUnknown)
  }

  @Test func onlyChangesOfTheirColumnsConcernObservations() {
    var machine = ObservationMachine(isShared: true)
    let first = ObservationInterest(types: ["Dog": ColumnSet([1])])
    let second = ObservationInterest(objects: ["Dog": [key(1): ColumnSet([2]), key(2): nil]])
    let (one, two) = (machine.add(first, .starting), machine.add(second, .starting))
    _ = machine.didStart(one, first, 1)
    _ = machine.didStart(two, second, 1)
    func concerned(_ change: (inout ChangeSet) -> Void) -> Set<UInt64> {
      var changes = ChangeSet()
      change(&changes)
      return machine.index.concerned(by: changes)
    }
    #expect(concerned { $0.modify(key(1), "Dog", ColumnSet([1])) } == [one])
    #expect(concerned { $0.modify(key(1), "Dog", ColumnSet([2])) } == [two])
    #expect(concerned { $0.modify(key(2), "Dog", ColumnSet([3])) } == [two])
    #expect(concerned { $0.modify(key(3), "Dog", ColumnSet([3])) } == [])
    #expect(concerned { $0.delete(key(3), "Dog") } == [one])
    #expect(concerned { $0.delete(key(1), "Dog") } == [one, two])
    machine.remove(two)
    #expect(concerned { $0.delete(key(1), "Dog") } == [one])
  }

  @Test func anInterestThatBeginsDuringAnEvaluationMissesNoChange() {
    var machine = ObservationMachine(isShared: true)
    let none = ObservationInterest()
    let (first, other) = (machine.add(none, .waiting), machine.add(dogs, .starting))
    _ = machine.didStart(other, dogs, 1)
    guard case .evaluate(let work) = machine.beginRound(1, machine.generation) else {
      return #expect(Bool(false))
    }
    #expect(work.map(\.id) == [first])
    // During its evaluation a commit is published, and another reader distributes its changes.
    _ = machine.didCommit([2], [inserting(1)])
    let isKnown = machine.distribute(upTo: 2) == .good
    let looked = machine.didEvaluate(first, dogs, hasReport: true)
    #expect(isKnown && looked == .init(schedules: [first]))
    let begins = machine.beginDelivery(first)
    guard case .evaluate(let pending) = machine.pending(first, 2) else { return #expect(Bool(false)) }
    #expect(begins && pending.changes.types["Dog"]?.inserted == [key(1)])
    // A change that it does not depend on is dropped.
    _ = machine.didCommit([3], [inserting(2, "Cat")])
    _ = machine.distribute(upTo: 3)
    _ = machine.didDeliver(first, dogs)
    #expect(
      machine.observations[first]?.phase == .idle && machine.observations[first]?.pending.isEmpty == true
    )
  }

  /// Commits, rounds, deliveries and ends in any order: an observation gets all changes, is never evaluated by two
  /// threads at a time, and is always evaluated for the last commit.
  @Test(arguments: 0..<TestEffort.count(10, more: 40)) func randomOrders(seed: Int) {
    var random = StressRandom(seed: UInt64(seed))
    let isShared = random.next(2) == 0
    var machine = ObservationMachine(isShared: isShared, limit: random.next(3) == 0 ? 5 : 1_000)
    /// The type of each commit, nil for one of another process; the first is number 1.
    var commits: [String?] = []
    var told = 0
    var hasNext = false
    /// The commit of the last evaluation of each observation.
    var seen: [UInt64: (type: String, commit: Int)] = [:]
    var scheduled: [UInt64] = []
    var delivering: [UInt64] = []
    var looking: [(id: UInt64, commit: Int)] = []
    var calling: [UInt64] = []
    /// The observation that a silent write holds.
    var held: UInt64?

    func take(_ actions: ObservationMachine.Actions) { scheduled += actions.schedules }
    func check(_ id: UInt64, _ pending: PendingChanges, at commit: Int) {
      guard let last = seen[id] else { return }
      let expected = (last.commit..<max(last.commit, commit)).filter { commits[$0] == last.type }
      let others = (last.commit..<max(last.commit, commit)).contains { commits[$0] == nil }
      let keys = pending.changes.types[last.type]?.inserted ?? []
      // A change that the snapshot does not have would be lost: it is not evaluated again.
      #expect(keys.allSatisfy { $0 <= key(commit) }, "seed \(seed): more than the state \(commit) has")
      #expect(
        pending.isUnknown || (!others && keys.isSuperset(of: expected.map { key($0 + 1) })),
        "seed \(seed): \(id) from \(last.commit) to \(commit)"
      )
      seen[id]?.commit = max(last.commit, commit)
    }
    // A silent write is committed or rolled back.
    func endUnheard() {
      guard let id = held else { return }
      held = nil
      let interest = machine.observations[id]?.interest ?? dogs
      if random.next(3) == 0 { return take(machine.release(id, interest, hasReport: false, nil)) }
      machine.willCommit()
      commits.append(random.next(2) == 0 ? "Dog" : "Cat")
      var part = inserting(commits.count, commits[commits.count - 1] ?? "Dog")
      part.silent = [id]
      take(machine.didCommit([UInt64(commits.count)], [part]))
      seen[id]?.commit = commits.count
      take(machine.release(id, interest, hasReport: random.next(2) == 0, UInt64(commits.count)))
    }
    for step in 0..<600 {
      switch step < 560 ? random.next(12) : 5 + random.next(4) {
      case 0 where seen.count < 6:
        let type = random.next(2) == 0 ? "Dog" : "Cat"
        let interest = ObservationInterest(types: [type: ColumnSet?.none])
        let id = machine.add(interest, .starting)
        seen[id] = (type, commits.count)
        take(machine.didStart(id, interest, UInt64(commits.count)))
      case 1:
        guard let id = seen.keys.sorted().first, random.next(4) == 0 else { continue }
        machine.remove(id)
        seen[id] = nil
      case 2 where isShared && !hasNext && held == nil:
        commits.append(nil)
        take(machine.noteCommitOfFile(UInt64(commits.count)))
      case 3, 4:
        // Visible first, then published.
        if !hasNext, held == nil {
          machine.willCommit()
          commits.append(random.next(2) == 0 ? "Dog" : "Cat")
          told = commits.count
          hasNext = true
        }
      case 5:
        guard hasNext else { continue }
        hasNext = false
        let type = commits[told - 1] ?? "Dog"
        take(machine.didCommit([UInt64(told)], [inserting(told, type)]))
      case 6:
        guard looking.isEmpty,
          case .evaluate(let work) = machine.beginRound(UInt64(commits.count), machine.generation)
        else {
          continue
        }
        for item in work {
          check(item.id, item.pending, at: commits.count)
          looking.append((item.id, commits.count))
        }
      case 7:
        for (id, _) in looking {
          #expect(!delivering.contains(id), "seed \(seed): looked at while it delivers")
          guard let interest = machine.observations[id]?.interest else { continue }
          take(machine.didEvaluate(id, interest, hasReport: random.next(3) > 0))
        }
        looking = []
      case 8:
        if let id = delivering.popLast() {
          guard let interest = machine.observations[id]?.interest else { continue }
          if random.next(2) == 0 {
            take(machine.didDeliver(id, interest))
          } else if machine.beginCall(id, interest) {
            calling.append(id)
          }
        } else if !scheduled.isEmpty {
          let id = scheduled.removeFirst()
          #expect(!scheduled.contains(id) || seen[id] == nil, "seed \(seed): scheduled twice")
          guard machine.beginDelivery(id) else { continue }
          // Another one may have read a newer state since this one was read.
          var state = max(0, commits.count - random.next(3))
          var delivery = machine.pending(id, UInt64(state))
          while case .stale = delivery {
            state += 1
            delivery = machine.pending(id, UInt64(state))
          }
          if case .unpublished = delivery { take(machine.park(id)) }
          guard case .evaluate(let pending) = delivery else { continue }
          check(id, pending, at: state)
          delivering.append(id)
        }
      case 9 where !calling.isEmpty: take(machine.didCall(calling.removeLast()))
      case 10 where held == nil && !hasNext:
        guard let id = seen.keys.randomElement(using: &random),
          case .held(let pending) = machine.hold(id, UInt64(commits.count))
        else { continue }
        check(id, pending, at: commits.count)
        held = id
      case 11:
        endUnheard()
      default: continue
      }
    }
    // All deliveries end, and each observation was evaluated for the last commit.
    for _ in 0..<400 {
      endUnheard()
      while let id = calling.popLast() { take(machine.didCall(id)) }
      if hasNext {
        hasNext = false
        take(machine.didCommit([UInt64(told)], [inserting(told, commits[told - 1] ?? "Dog")]))
      }
      for (id, _) in looking {
        if let interest = machine.observations[id]?.interest {
          take(machine.didEvaluate(id, interest, hasReport: false))
        }
      }
      looking = []
      while let id = delivering.popLast() {
        if let interest = machine.observations[id]?.interest { take(machine.didDeliver(id, interest)) }
      }
      while let id = scheduled.popLast() {
        guard machine.beginDelivery(id),
          case .evaluate(let pending) = machine.pending(id, UInt64(commits.count))
        else { continue }
        check(id, pending, at: commits.count)
        delivering.append(id)
      }
      guard case .evaluate(let work) = machine.beginRound(UInt64(commits.count), machine.generation) else {
        continue
      }
      for item in work {
        check(item.id, item.pending, at: commits.count)
        looking.append((item.id, commits.count))
      }
      if !machine.isBusy { break }
    }
    #expect(!machine.isBusy, "seed \(seed): it does not come to rest")
    for (id, last) in seen {
      let missed = (last.commit..<commits.count).filter { commits[$0] == last.type || commits[$0] == nil }
      #expect(missed.isEmpty, "seed \(seed): \(id) has not seen \(missed)")
    }
  }
}
