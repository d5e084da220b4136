import Fief
import Foundation

/// Many tasks that write to three stores at once, with writes that have to fail among them.
package struct StressWorkload: Sendable {
  package let stores: StressRepositories
  package let seed: UInt64
  /// The number of this round of writing to the same stores; each has units of its own.
  package let round: Int
  package var tasks = 64
  /// About 10,000 objects.
  package var units = 4_290

  package init(stores: StressRepositories, seed: UInt64, round: Int = 0) {
    self.stores = stores
    self.seed = seed
    self.round = round
  }

  package static func counterName(_ task: Int) -> String { "task-\(task)" }
  package static func ghostName(_ unit: Int) -> String { "ghost-\(unit)" }

  private struct Refusal: Error {}

  /// Runs to the end, reporting each write after its success, each deletion before it begins too.
  package func run(_ report: @escaping @Sendable (StressEvent) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask { await run(task, report) }
      }
    }
  }

  private func run(_ task: Int, _ report: @escaping @Sendable (StressEvent) -> Void) async {
    var random = StressRandom(seed: seed &+ UInt64(task) &* 7919)
    var own: [StressUnit] = []
    let counter = StressUser()
    counter.name = Self.counterName(task)
    counter.visits = stores.auth.object(ofType: StressUser.self, forPrimaryKey: counter.name)?.visits ?? 0
    do {
      for number in stride(from: task, to: units, by: tasks) {
        let unit = StressUnit(round * StressUnit.roundSize + number)
        try await save(unit, synchronously: random.next(13) == 0)
        report(.saved(unit.id))
        own.append(unit)
        if random.next(5) == 0 {
          counter.visits += 1
          try await stores.auth.save(entity: counter, update: .modified)
          report(.counted(task: task, value: counter.visits))
        }
        if random.next(6) == 0 { await refuse(unit, random.next(3), report) }
        if random.next(9) == 0 {
          let victim = own.remove(at: random.next(own.count))
          report(.deleting(victim.id))
          try await delete(victim)
          report(.deleted(victim.id))
        }
      }
    } catch {
      report(.wrong("task \(task): \(error)"))
    }
  }

  private func repository(_ unit: StressUnit) -> StressRepository {
    switch unit.domain {
    case .auth: stores.auth
    case .pets: stores.pets
    case .payments: stores.payments
    }
  }

  private func save(_ unit: StressUnit, synchronously: Bool) async throws {
    let objects = unit.makeObjects()
    if synchronously {
      try repository(unit).saveAndWait(entities: objects, update: false)
    } else {
      // The main object alone saves what it links.
      try await repository(unit).save(entities: Array(objects.prefix(1 + unit.id % 2)), update: false)
    }
  }

  private func delete(_ unit: StressUnit) async throws {
    guard let object = unit.find(in: stores) else {
      throw FiefError(.objectNotFound, "A saved unit is gone.", key: "\(unit.id)")
    }
    try await repository(unit).delete(entity: object)
  }

  /// A write that has to fail, and would leave a ghost behind if it did not fail as a whole.
  private func refuse(_ unit: StressUnit, _ way: Int, _ report: (StressEvent) -> Void) async {
    let ghost = StressUser()
    ghost.name = Self.ghostName(unit.id)
    ghost.email = "ghost"
    do {
      switch way {
      case 0:
        let double = StressUser()
        double.name = "taken"
        try await stores.auth.save(entities: [ghost, double], update: false)
      case 1:
        let long = StressUser()
        long.name = String(repeating: "x", count: 600)
        try await stores.auth.save(entities: [ghost, long], update: true)
      default:
        let name = ghost.name
        try await stores.auth.write { tx in
          let ghost = StressUser()
          ghost.name = name
          try tx.add(ghost)
          throw Refusal()
        }
      }
      report(.wrong("unit \(unit.id): way \(way) did not fail"))
      return
    } catch {
      let isExpected = error is Refusal || (error as? FiefError).map { $0.code } == expectedCode(way)
      report(isExpected ? .refused(unit.id) : .wrong("unit \(unit.id): \(error)"))
    }
  }

  private func expectedCode(_ way: Int) -> FiefError.Code? {
    way == 0 ? .duplicatePrimaryKey : way == 1 ? .primaryKeyTooLong : nil
  }

  /// Saves what the workload needs to be there.
  package func prepare() async throws {
    let taken = StressUser()
    taken.name = "taken"
    try await stores.auth.save(entity: taken, update: true)
  }
}

/// A small generator whose numbers depend on the seed alone.
package struct StressRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to below `bound`.
  package mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}
