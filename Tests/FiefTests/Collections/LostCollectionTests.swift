import Fief
import Synchronization
import TestEffort
import Testing

/// Large collections of which entries are lost: an error in each form of reading, and never a shorter or an empty one.
@Suite(.timeLimit(.minutes(20))) struct LostCollectionTests {
  private static let many = TestEffort.count(1_500, more: 3_000)

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var repository: RuleRepository {
    RuleRepository(
      realmMemoryType: .inStorage,
      directory: directory.path,
      objectTypes: [LostOwner.self, LostMember.self]
    )
  }

  /// Stores an owner of a large collection, and damages that.
  private func lose(_ damage: CollectionDamage, of property: String) throws {
    try fill(property)
    repository.closeChecked()
    try damage.apply(in: directory["rules"])
  }

  private func fill(_ property: String) throws {
    try repository.write { transaction in
      let owner = LostOwner(value: ["id": 1])
      for number in 0..<Self.many {
        switch property {
        case "list": owner.list.append(LostMember(value: ["id": number]))
        case "set": owner.set.insert(LostMember(value: ["id": number]))
        case "map": owner.map["\(number)"] = LostMember(value: ["id": number])
        case "numbers": owner.numbers.append(number)
        case "numberSet": owner.numberSet.insert(number)
        case "numberMap": owner.numberMap["\(number)"] = number
        case "states": owner.states.append(LostState.big)
        default: owner.array.append(number)
        }
      }
      try transaction.add(owner)
      try transaction.add(LostOwner(value: ["id": 2]))
    }
  }

  private func expectDamage(
    _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let found: FiefError?
    do {
      try body()
      found = nil
    } catch {
      found = error as? FiefError
    }
    #expect(found?.code == .damagedRecord, "\(name)", sourceLocation: sourceLocation)
  }

  private func withOwner(_ body: (LostOwner) throws -> Void) throws {
    try repository.read { try body(try #require(try $0.object(ofType: LostOwner.self, forPrimaryKey: 1))) }
  }

  private func changingOwner(_ body: (WriteTransaction, LostOwner) throws -> Void) throws {
    try repository.write {
      try body($0, try #require(try $0.object(ofType: LostOwner.self, forPrimaryKey: 1)))
    }
  }

  /// Expects queries about the elements of a collection to find the damage.
  ///
  /// - Parameter value: the way from an element to a number, with the point before it.
  private func expectDamagedQueries(of property: String, _ value: String) {
    let elements = ["map", "numberMap"].contains(property) ? "\(property).@allValues" : property
    let conditions = [
      "ANY \(elements)\(value) == -1", "ALL \(elements)\(value) >= 0", "\(elements).@sum\(value) == 7",
    ]
    for condition in conditions {
      expectDamage(condition) {
        _ = try repository.store().objects(LostOwner.self).filter(condition).fetchCount()
      }
    }
  }

  @Test(arguments: CollectionDamage.allCases, ["list", "set", "map"])
  func linksAreNotLeftOut(_ damage: CollectionDamage, of property: String) throws {
    try lose(damage, of: property)
    expectDamagedQueries(of: property, ".points")
    if property != "map" {
      expectDamage("members") {
        try withOwner { owner in
          if property == "list" { _ = try owner.list.where { $0.points < 0 }.all() }
          if property == "set" { _ = try owner.set.where { $0.points < 0 }.all() }
        }
      }
    }
    expectDamage("walk") { try readAll(outside: false) }
    expectDamage("elements after the read") { try readAll(outside: true) }
    expectDamage("deletion") { try changingOwner { try $0.delete($1) } }
    expectDamage("replacement") {
      try changingOwner { _, owner in
        owner.list.removeAll()
        owner.set.removeAll()
        owner.map.removeAll()
      }
    }
    try expectFoundAndKept()
  }

  @Test(arguments: CollectionDamage.allCases, ["numbers", "numberSet", "numberMap", "array"])
  func valuesAreNotLeftOut(_ damage: CollectionDamage, of property: String) throws {
    try lose(damage, of: property)
    expectDamagedQueries(of: property, "")
    expectDamage("walk") { try readAll(outside: false) }
    expectDamage("elements after the read") { try readAll(outside: true) }
    expectDamage("addition") {
      try changingOwner { _, owner in
        switch property {
        case "numbers": owner.numbers.append(-1)
        case "numberSet": owner.numberSet.insert(-1)
        case "numberMap": owner.numberMap["-1"] = -1
        default: owner.array.append(-1)
        }
        // An addition does not look for lost elements.
        readAll(owner)
      }
    }
    try expectFoundAndKept()
  }

  /// Results outside of a scope are read in batches, each of which goes on behind the last element of the one before.
  @Test(arguments: ["set", "list"]) func batchesOfResultsNoticeIt(property: String) throws {
    try lose(.lastEntry, of: property)
    expectDamage("loop over results") {
      try withReadErrors { repository in
        let owner = try #require(try repository.store().fetchObject(ofType: LostOwner.self, forPrimaryKey: 1))
        let members =
          property == "set" ? owner.set.where { $0.points >= 0 } : owner.list.where { $0.points >= 0 }
        for member in members where member.id < 0 { break }
      }
    }
    try expectFoundAndKept()
  }

  /// Elements that another write takes out between two batches are no damage.
  @Test(arguments: ["set", "list", "map"]) func changesBetweenBatchesAreNoDamage(property: String) throws {
    try fill(property)
    try withReadErrors { repository in
      let owner = try #require(try repository.store().fetchObject(ofType: LostOwner.self, forPrimaryKey: 1))
      let members =
        switch property {
        case "set": owner.set.where { $0.points >= 0 }
        case "list": owner.list.where { $0.points >= 0 }
        default: owner.map.where { $0.points >= 0 }
        }
      var seen: [Int] = []
      for member in members {
        seen.append(member.id)
        guard seen.count == 100 || seen.count == 1_000 else { continue }
        let gone = Set(seen.suffix(50).prefix(10))
        try repository.write { transaction in
          let owner = try #require(try transaction.object(ofType: LostOwner.self, forPrimaryKey: 1))
          owner.list.removeAll { gone.contains($0.id) }
          for member in owner.set where gone.contains(member.id) { owner.set.remove(member) }
          for id in gone { owner.map.removeObject(for: "\(id)") }
        }
      }
      #expect(seen.count == Self.many && Set(seen) == Set(0..<Self.many))
    }
    repository.closeChecked()
  }

  @Test func theCheckGoesOnBehindALostCollection() throws {
    try lose(.everything, of: "states")
    let report = try repository.check()
    #expect(report.problems.contains { $0.contains("states") })
    #expect(report.unknownValues == [])
    repository.close()
  }

  @Test(arguments: CollectionDamage.allCases, ["numbers", "numberSet", "numberMap"])
  func theOwnerCanBeDeletedWhereItIsHeld(_ damage: CollectionDamage, of property: String) throws {
    // A read that finds the damage ends the write.
    for isUsed in damage == .lastEntry ? [false, true] : [false] {
      try lose(damage, of: property)
      let errors = ReadErrors()
      var repository = repository
      repository.storeOptions.eventHandler = { event in
        if case .failedRead(_, _, _, let error) = event { errors.add(error) }
      }
      var kept: LostOwner?
      try repository.write { transaction in
        let owner = try #require(try transaction.object(ofType: LostOwner.self, forPrimaryKey: 1))
        kept = owner
        if isUsed { _ = owner.numbers.count + owner.numberSet.count + owner.numberMap.count }
        try transaction.delete(owner)
      }
      let reported = errors.all.count
      readAll(try #require(kept))
      #expect(errors.all.count > reported)
      #expect(try repository.store().objects(LostOwner.self).fetchCount() == 1)
      try repository.deleteAllAndWait(deleteObjClass: LostOwner.self)
      repository.closeChecked()
    }
  }

  private func expectFoundAndKept() throws {
    #expect(try !repository.check().problems.isEmpty)
    #expect(try repository.store().objects(LostOwner.self).fetchCount() == 2)
    repository.close()
  }

  /// Reads all elements of the owner, in the read that gives it or after that.
  private func readAll(outside: Bool) throws {
    try withReadErrors { repository in
      if outside {
        readAll(
          try #require(try repository.store().fetchObject(ofType: LostOwner.self, forPrimaryKey: 1))
        )
      } else {
        try repository.read {
          readAll(try #require(try $0.object(ofType: LostOwner.self, forPrimaryKey: 1)))
        }
      }
    }
  }

  /// Calls `body`, and throws the first error that is told to the event handler meanwhile.
  private func withReadErrors(_ body: (RuleRepository) throws -> Void) throws {
    let errors = ReadErrors()
    var repository = repository
    repository.close()
    repository.storeOptions.eventHandler = { event in
      if case .failedRead(_, _, _, let error) = event { errors.add(error) }
    }
    try body(repository)
    repository.close()
    if let error = errors.all.first { throw error }
  }

  private func readAll(_ owner: LostOwner) {
    for member in owner.list { _ = member.id }
    for member in owner.set { _ = member.id }
    for entry in owner.map { _ = entry.value?.id }
    for _ in owner.numbers {}
    for _ in owner.numberSet {}
    for _ in owner.numberMap {}
    for _ in owner.array {}
  }
}

/// The errors of reads that were reported.
private final class ReadErrors: Sendable {
  private let errors = Mutex<[any Error]>([])
  func add(_ error: any Error) { errors.withLock { $0.append(error) } }
  var all: [any Error] { errors.withLock { $0 } }
}

private final class LostOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var list: List<LostMember>
  @Persisted var set: MutableSet<LostMember>
  @Persisted var map: Map<String, LostMember?>
  @Persisted var numbers: List<Int>
  @Persisted var numberSet: MutableSet<Int>
  @Persisted var numberMap: Map<String, Int>
  @Persisted var array: [Int] = []
  @Persisted var states: List<LostState>
  /// Its bytes begin as those of the reference to a large collection do.
  @Persisted var state = LostState.big
}

private enum LostState: Int, PersistableEnum {
  case big = 128
}

private final class LostMember: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var points = 0
}
