import Fief
import FiefTesting
import Foundation
import Testing

final class PartDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
}

final class PartPerson: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var dogs: List<PartDog>
  @Persisted var favourite: PartDog?
}

final class PartOther: Object {
  @Persisted var name = ""
}

/// Has to have dogs.
final class PartKennel: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var dogs: List<PartDog>

  override class func relationships() -> [Relationship] {
    [Relationship("dogs", isRequired: true, minimum: 1)]
  }
}

/// A repository that declares a part of the types that its store is open with.
@Suite struct PartOfTypesTests {
  private let directory: TemporaryDirectory
  private let events = OwnedValues<FiefError.Code>()

  init() throws { directory = try TemporaryDirectory() }

  /// The same type of repository, with all classes or some.
  private func repository(_ inMemory: Bool, _ types: [Object.Type]) -> TestRepository {
    var repository = TestRepository(
      "part",
      in: inMemory ? nil : directory.path,
      memoryType: inMemory ? .inMemory(identifier: directory.path) : .inStorage,
      version: 1,
      objectTypes: types
    )
    repository.storeOptions.eventHandler = { [events] in
      if let failure = $0.failure { events.append(failure.code) }
    }
    return repository
  }

  private func opened(_ inMemory: Bool) throws -> (all: TestRepository, part: TestRepository) {
    let all = repository(inMemory, [PartDog.self, PartPerson.self, PartKennel.self])
    try all.write { tx in
      let dogs = try (1...3).map { try tx.create(PartDog.self, value: ["id": $0, "name": "dog \($0)"]) }
      let person = try tx.create(PartPerson.self, value: ["id": 1, "name": "Jane"])
      person.dogs.append(objectsIn: dogs[..<2])
      person.favourite = dogs[0]
      try tx.create(PartKennel.self, value: ["id": 1]).dogs.append(dogs[2])
    }
    return (all, repository(inMemory, [PartDog.self]))
  }

  private static let forms: [(name: String, use: @Sendable (TestRepository) throws -> Void)] = [
    ("objects", { _ = try $0.objects(PartPerson.self) }),
    ("objects of the store", { _ = try $0.store().objects(PartPerson.self).all() }),
    ("count of the store", { _ = try $0.store().objects(PartPerson.self).fetchCount() }),
    ("fetchObject", { _ = try $0.fetchObject(ofType: PartPerson.self, forPrimaryKey: 1) }),
    (
      "fetchObject of the store",
      { _ = try $0.store().fetchObject(ofType: PartPerson.self, forPrimaryKey: 1) }
    ),
    ("count", { _ = try $0.count(PartPerson.self) }),
    ("exists", { _ = try $0.exists(PartPerson.self, forPrimaryKey: 1) }),
    ("read objects", { try $0.read { _ = try $0.objects(PartPerson.self).all() } }),
    ("read object", { try $0.read { _ = try $0.object(ofType: PartPerson.self, forPrimaryKey: 1) } }),
    ("write objects", { try $0.write { _ = try $0.objects(PartPerson.self).all() } }),
    ("write object", { try $0.write { _ = try $0.object(ofType: PartPerson.self, forPrimaryKey: 1) } }),
    ("add", { try $0.write { try $0.add(PartPerson()) } }),
    ("add several", { try $0.write { try $0.add([PartPerson()]) } }),
    ("create", { try $0.write { _ = try $0.create(PartPerson.self, value: ["id": 9]) } }),
    ("add to the store", { part in try part.store().write { part.store().add(PartPerson()) } }),
    (
      "deleteAll of the store", { part in try part.store().write { part.store().deleteAll(PartPerson.self) } }
    ),
    ("delete", { try $0.write { try $0.delete(PartPerson(value: ["id": 1])) } }),
    ("delete several", { try $0.write { try $0.delete([PartPerson(value: ["id": 1])]) } }),
    ("delete keys", { try $0.write { try $0.delete(ofType: PartPerson.self, forPrimaryKeys: [1]) } }),
    ("deleteAll", { try $0.write { try $0.deleteAll(PartPerson.self) } }),
    ("unheard", { try $0.write(withoutNotifying: []) { try $0.add(PartPerson()) } }),
    ("saveAndWait", { try $0.saveAndWait(entity: PartPerson()) }),
    ("saveAndWait of JSON", { try $0.saveAndWait(saveClass: PartPerson.self, jsonData: Data("{}".utf8)) }),
    ("deleteAndWait", { try $0.deleteAndWait(entity: PartPerson(value: ["id": 1])) }),
    ("deleteAndWait of keys", { try $0.deleteAndWait(ofType: PartPerson.self, forPrimaryKeys: [1]) }),
    ("deleteAllAndWait", { try $0.deleteAllAndWait(deleteObjClass: PartPerson.self) }),
    (
      "several stores",
      { part in
        let other = TestRepository(
          "other",
          memoryType: .inMemory(identifier: UUID().uuidString),
          objectTypes: [PartOther.self]
        )
        defer { other.close() }
        try StoreManager(repositories: [part, other]).write(to: part, and: other) { tx, _ in
          try tx.add(PartPerson())
        }
      }
    ),
  ]

  @Test(arguments: [true, false]) func theOtherTypesAreNotReached(inMemory: Bool) async throws {
    let (all, part) = try opened(inMemory)
    defer { all.closeChecked() }
    for form in Self.forms {
      let error = #expect(throws: FiefError.self, "\(form.name)") { try form.use(part) }
      #expect(error?.code == .unknownType, "\(form.name)")
      #expect(error?.details == ["the repository's types: PartDog"], "\(form.name)")
    }
    await #expect(throws: FiefError.self) { try await part.save(entity: PartPerson(), update: true) }
    await #expect(throws: FiefError.self) { try await part.delete(entity: PartPerson(value: ["id": 1])) }
    await #expect(throws: FiefError.self) {
      try await part.delete(ofType: PartPerson.self, forPrimaryKeys: [1])
    }
    await #expect(throws: FiefError.self) { try await part.deleteAll(deleteObjClass: PartPerson.self) }
    await #expect(throws: FiefError.self) { try await part.write { tx in try tx.create(PartPerson.self) } }
    await #expect(throws: FiefError.self) {
      try await part.save(saveClass: PartPerson.self, jsonData: Data("{}".utf8), update: true)
    }
    let outcomes = [
      await outcome { part.save(entity: PartPerson(), update: true, completion: $0) },
      await outcome { part.delete(entity: PartPerson(value: ["id": 1]), completion: $0) },
      await outcome { part.delete(ofType: PartPerson.self, forPrimaryKeys: [1], completion: $0) },
      await outcome { part.deleteAll(deleteObjClass: PartPerson.self, completion: $0) },
      await outcome {
        part.save(saveClass: PartPerson.self, jsonData: Data("{}".utf8), update: true, completion: $0)
      },
      await outcome { done in
        part.writeAsync({ try $0.add(PartPerson()) }) { done($0.map { .failure($0) } ?? .success(true)) }
      },
    ]
    #expect(outcomes == Array(repeating: .unknownType, count: 6))
    #expect(part.queryAll(returningClass: PartPerson.self) == nil)
    #expect(part.object(ofType: PartPerson.self, forPrimaryKey: 1) == nil)
    #expect(part.store().objects(PartPerson.self).isEmpty)
    #expect(events.values == [.unknownType, .unknownType, .unknownType])
    await #expect(throws: FiefError.self) {
      for try await _ in part.store().objects(PartPerson.self).changes() { break }
    }
    #expect(try all.count(PartPerson.self) == 1)
    #expect(try all.fetchObject(ofType: PartPerson.self, forPrimaryKey: 1)?.dogs.count == 2)
  }

  private func outcome(
    _ start: (@escaping (Result<Bool, any Error>) -> Void) -> Void
  ) async -> FiefError.Code? {
    await withCheckedContinuation { continuation in
      start { result in
        if case .failure(let error) = result {
          return continuation.resume(returning: (error as? FiefError)?.code)
        }
        continuation.resume(returning: nil)
      }
    }
  }

  @Test(arguments: [true, false]) func theRepositorysTypesWork(inMemory: Bool) async throws {
    let (all, part) = try opened(inMemory)
    defer { all.closeChecked() }
    #expect(try part.count(PartDog.self) == 3)
    #expect(try part.objects(PartDog.self).where { $0.name == "dog 2" }.all().map(\.id) == [2])
    try part.saveAndWait(entity: PartDog(value: ["id": 4, "name": "dog 4"]))
    try await part.write { tx in try tx.create(PartDog.self, value: ["id": 5]) }
    #expect(try all.count(PartDog.self) == 5)
    #expect(try part.overview().types.map(\.name) == ["PartDog"])
    #expect(try all.overview().types.count == 3)
    // A list with the same classes is the same handle.
    #expect(part.store() === repository(inMemory, [PartDog.self]).store())
    #expect(part.store() !== all.store())
    #expect(repository(inMemory, [PartPerson.self, PartKennel.self, PartDog.self]).store() === all.store())
  }

  /// Links of types that are not seen follow their rules all the same.
  @Test(arguments: [true, false]) func rulesOfTheOtherTypesHold(inMemory: Bool) throws {
    let (all, part) = try opened(inMemory)
    defer { all.closeChecked() }
    try part.write { tx in
      let dog = try #require(try tx.object(ofType: PartDog.self, forPrimaryKey: 1))
      try tx.delete(dog)
    }
    let person = try #require(try all.fetchObject(ofType: PartPerson.self, forPrimaryKey: 1))
    #expect(person.dogs.map(\.id) == [2] && person.favourite == nil)
    let error = #expect(throws: FiefError.self) {
      try part.deleteAndWait(ofType: PartDog.self, forPrimaryKeys: [3])
    }
    #expect(error?.code == .validationFailed)
    #expect(throws: FiefError.self) { try part.write { try $0.deleteAll() } }
    #expect(try all.count(PartDog.self) == 2)
    try all.write { try $0.deleteAll(PartKennel.self) }
    try part.write { try $0.deleteAll() }
    #expect(try all.count(PartDog.self) == 0)
    // The objects of other types stay.
    #expect(try all.count(PartPerson.self) == 1)
  }

  @Test(arguments: [true, false]) func onlyTheChangesOfItsTypesAreReported(inMemory: Bool) throws {
    let (all, part) = try opened(inMemory)
    defer { all.closeChecked() }
    let seen = OwnedValues<[String]>()
    let token = try part.observe { seen.append($0.types.keys.sorted()) }
    try all.write { tx in
      try tx.create(PartDog.self, value: ["id": 7])
      try tx.create(PartPerson.self, value: ["id": 7])
    }
    try all.store().waitUntilDelivered()
    try all.write { tx in try tx.create(PartPerson.self, value: ["id": 8]) }
    try all.store().waitUntilDelivered()
    #expect(seen.values == [["PartDog"]])
    token.invalidate()
  }

  /// Inside of a write of the repository with all classes the other one has its own types only.
  @Test(arguments: [true, false]) func insideOfAnotherWrite(inMemory: Bool) throws {
    let (all, part) = try opened(inMemory)
    defer { all.closeChecked() }
    let error = #expect(throws: FiefError.self) {
      try all.write { tx in
        #expect(try part.store().objects(PartDog.self).all().count == 3)
        try tx.add(PartPerson(value: ["id": 20]))
        part.store().add(PartPerson(value: ["id": 21]))
      }
    }
    #expect(error?.code == .unknownType)
    try all.write { tx in
      part.store().add(PartDog(value: ["id": 21]))
      try tx.add(PartPerson(value: ["id": 21]))
    }
    #expect(try all.count(PartPerson.self) == 2)
    try part.write { tx in
      all.store().add(PartPerson(value: ["id": 22]))
      try tx.add(PartDog(value: ["id": 22]))
    }
    #expect(try all.count(PartPerson.self) == 3)
  }
}

private final class OwnedValues<Value: Sendable>: @unchecked Sendable {
  // SAFETY: used under the lock only.
  private let lock = NSLock()
  private var kept: [Value] = []

  func append(_ value: Value) { lock.withLock { kept.append(value) } }
  var values: [Value] { lock.withLock { kept } }
}
