import Fief
import Synchronization
import Testing

/// Large collections of which entries are lost: an error in each form of reading, and never a shorter or an empty one.
@Suite(.timeLimit(.minutes(20))) struct LostCollectionTests {
  private static let many = 3_000

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var repository: LostRepository { LostRepository(directory: directory.path) }

  /// Stores an owner of a large collection, and damages that.
  private func lose(_ damage: CollectionDamage, of property: String) throws {
    try fill(property)
    repository.closeChecked()
    try damage.apply(in: directory["lost"])
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
    _ code: FiefError.Code = .damagedRecord,
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
    #expect(found?.code == code, "\(name)", sourceLocation: sourceLocation)
  }

  private func withOwner(_ body: (LostOwner) throws -> Void) throws {
    try repository.read { try body(try #require(try $0.object(ofType: LostOwner.self, forPrimaryKey: 1))) }
  }

  private func changingOwner(_ body: (WriteTransaction, LostOwner) throws -> Void) throws {
    try repository.write {
      try body($0, try #require(try $0.object(ofType: LostOwner.self, forPrimaryKey: 1)))
    }
  }

  private func count(_ condition: String) throws {
    _ = try repository.store().objects(LostOwner.self).filter(condition).fetchCount()
  }

  @Test(arguments: CollectionDamage.allCases, ["list", "set", "map"])
  func linksAreNotLeftOut(_ damage: CollectionDamage, of property: String) throws {
    try lose(damage, of: property)
    let member = property == "map" ? "map.@allValues" : property
    expectDamage("condition") { try count("ANY \(member).points == -1") }
    expectDamage("condition on all") { try count("ALL \(member).points >= 0") }
    expectDamage("sum") { try count("\(member).@sum.points == 7") }
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
    let value = property == "numberMap" ? "numberMap.@allValues" : property
    expectDamage("condition") { try count("ANY \(value) == -1") }
    expectDamage("condition on all") { try count("ALL \(value) >= 0") }
    expectDamage("sum") { try count("\(value).@sum == 7") }
    expectDamage("walk") { try readAll(outside: false) }
    // An array is decoded without its owner, so that a collection that is lost is not told from one that was removed since.
    let code = property == "array" && damage != .lastEntry ? FiefError.Code.objectNotFound : .damagedRecord
    expectDamage("elements after the read", code) { try readAll(outside: true) }
    expectDamage("addition") {
      try changingOwner { _, owner in
        switch property {
        case "numbers": owner.numbers.append(-1)
        case "numberSet": owner.numberSet.insert(-1)
        case "numberMap": owner.numberMap["-1"] = -1
        default: owner.array.append(-1)
        }
        // An addition does not look for lost elements.
        try readAll(owner)
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
      var seen = 0
      for _ in members {
        seen += 1
        guard seen == 100 || seen == 1_000 else { continue }
        try repository.write { transaction in
          let owner = try #require(try transaction.object(ofType: LostOwner.self, forPrimaryKey: 1))
          for id in (seen - 50)..<(seen - 40) {
            let member = try #require(try transaction.object(ofType: LostMember.self, forPrimaryKey: id))
            owner.set.remove(member)
            owner.map.removeObject(for: "\(id)")
          }
        }
      }
      #expect(seen > Self.many / 2)
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

  private func expectFoundAndKept() throws {
    #expect(try !repository.check().problems.isEmpty)
    #expect(try repository.store().objects(LostOwner.self).fetchCount() == 2)
    repository.close()
  }

  /// Reads all elements of the owner, in the read that gives it or after that.
  private func readAll(outside: Bool) throws {
    try withReadErrors { repository in
      if outside {
        try readAll(
          try #require(try repository.store().fetchObject(ofType: LostOwner.self, forPrimaryKey: 1))
        )
      } else {
        try repository.read {
          try readAll(try #require(try $0.object(ofType: LostOwner.self, forPrimaryKey: 1)))
        }
      }
    }
  }

  /// Calls `body`, and throws the first error that is told to the event handler meanwhile.
  private func withReadErrors(_ body: (LostRepository) throws -> Void) throws {
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

  private func readAll(_ owner: LostOwner) throws {
    var found = 0
    for member in owner.list { found += member.id }
    for member in owner.set { found += member.id }
    for entry in owner.map { found += entry.value?.id ?? 0 }
    for number in owner.numbers { found += number }
    for number in owner.numberSet { found += number }
    for entry in owner.numberMap { found += entry.value }
    for number in owner.array { found += number }
    #expect(found < Self.many * (Self.many - 1) / 2)
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

private struct LostRepository: DatabaseConfigurable, Sendable {
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaName: String? = "lost"
  let schemaVersion: UInt64? = 1
  var directory: String?
  var storeOptions = StoreOptions()
  var objectTypes: [Object.Type]? { [LostOwner.self, LostMember.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}
