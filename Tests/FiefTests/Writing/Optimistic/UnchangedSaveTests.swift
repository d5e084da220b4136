import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

/// Saves that take place only where the object is as it was read.
struct UnchangedSaveTests {
  private typealias Fixture = StoreFixture<TestRepository>

  private func fixture(_ kind: StoreKind) throws -> Fixture {
    try Fixture(TestRepository(objectTypes: optimisticTypes), kind)
  }

  private func counter(_ id: Int = 1, in fixture: Fixture) throws -> OptimisticCounter {
    try #require(try fixture.store().fetchObject(ofType: OptimisticCounter.self, forPrimaryKey: id))
  }

  private func user(_ id: String = "ada", in fixture: Fixture) throws -> OptimisticUser {
    try #require(try fixture.store().fetchObject(ofType: OptimisticUser.self, forPrimaryKey: id))
  }

  private func save(_ object: Object, _ policy: UpdatePolicy = .all, in fixture: Fixture) throws {
    try fixture.saveAndWait(entity: object, update: policy, ifUnchanged: true)
  }

  private func expectConflict(
    _ keys: [String],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = #expect(throws: FiefError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .conflict, sourceLocation: sourceLocation)
    let lines = error?.showingValues().details ?? []
    #expect(lines.map { String($0.prefix { $0 != ":" }) } == keys, sourceLocation: sourceLocation)
  }

  @Test(arguments: StoreKind.allCases, [UpdatePolicy.all, .modified])
  func anObjectThatOthersHaveChanged(_ kind: StoreKind, _ policy: UpdatePolicy) throws {
    let fixture = try fixture(kind)
    try fixture.saveAndWait(entity: OptimisticCounter(1, value: 1))
    let (first, second) = (try counter(in: fixture), try counter(in: fixture))
    first.value += 1
    second.value += 10
    try save(first, policy, in: fixture)
    expectConflict(["OptimisticCounter[1]"]) { try save(second, policy, in: fixture) }
    #expect(try counter(in: fixture).value == 2)
    // The assignment is still there, and the object as stale as before.
    #expect(second.value == 11)
    expectConflict(["OptimisticCounter[1]"]) { try save(second, policy, in: fixture) }
    // Its own saves are known.
    first.value += 1
    try save(first, policy, in: fixture)
    first.note = "third"
    try save(first, policy, in: fixture)
    #expect(try counter(in: fixture).value == 3)
    #expect(try counter(in: fixture).note == "third")
  }

  @Test(arguments: StoreKind.allCases) func theAsynchronousForm(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let own = OptimisticCounter(1)
    try await fixture.save(entity: own, ifUnchanged: true)
    own.value = 1
    try await fixture.save(entity: own, ifUnchanged: true)
    let other = try counter(in: fixture)
    own.value = 2
    try await fixture.save(entity: own, ifUnchanged: true)
    other.value = 9
    await #expect(throws: FiefError.self) { try await fixture.save(entity: other, ifUnchanged: true) }
    #expect(try counter(in: fixture).value == 2)
    try await fixture.save(entity: other, ifUnchanged: false)
    #expect(try counter(in: fixture).value == 9)
  }

  @Test(arguments: StoreKind.allCases) func aNewObjectMustNotBeThere(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    try save(OptimisticCounter(1, value: 1), in: fixture)
    expectConflict(["OptimisticCounter[1]"]) { try save(OptimisticCounter(1, value: 5), in: fixture) }
    #expect(try counter(in: fixture).value == 1)
    let entry = OptimisticEntry(1, of: "ada")
    try save(entry, in: fixture)
    entry.amount = 2
    try save(entry, in: fixture)
    #expect(try fixture.store().objects(OptimisticEntry.self).all().map(\.amount) == [2])
  }

  @Test(arguments: StoreKind.allCases) func aDeletedObjectIsNotMadeAgain(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    try fixture.saveAndWait(entity: OptimisticCounter(1))
    let own = try counter(in: fixture)
    try fixture.deleteAndWait(ofType: OptimisticCounter.self, forPrimaryKeys: [1])
    own.value = 1
    expectConflict(["OptimisticCounter[1]"]) { try save(own, in: fixture) }
    #expect(try fixture.store().objects(OptimisticCounter.self).fetchCount() == 0)
  }

  @Test(arguments: StoreKind.allCases) func savesOfOtherKindsAreKnown(_ kind: StoreKind) async throws {
    let fixture = try fixture(kind)
    let own = OptimisticCounter(1)
    try fixture.saveAndWait(entity: own)
    own.value = 1
    try save(own, in: fixture)
    try await fixture.save(entity: own, update: true)
    own.value = 2
    try save(own, in: fixture)
    try write(in: fixture) { own.value = 3 }
    own.value += 1
    try save(own, in: fixture)
    #expect(try counter(in: fixture).value == 4)
    #expect(throws: OptimisticFailure.self) {
      try write(in: fixture) {
        own.value = 50
        throw OptimisticFailure(reason: "rolled back")
      }
    }
    #expect(own.value == 4)
    own.value += 1
    try save(own, in: fixture)
    #expect(try counter(in: fixture).value == 5)
  }

  /// The link stays when its object is deleted, and the object of the link then has the record of the write.
  @Test("a rollback leaves no record of the write behind a link that stays", arguments: StoreKind.allCases)
  func addedObjectsWithLinksThatStay(_ kind: StoreKind) throws {
    let fixture = try Fixture(TestRepository(objectTypes: [DanglingCard.self, DanglingReader.self]), kind)
    let reader = DanglingReader()
    reader.id = 1
    try fixture.saveAndWait(entity: reader)
    let card = DanglingCard()
    card.id = 7
    card.reader = reader
    #expect(throws: OptimisticFailure.self) {
      try fixture.store().write { (transaction: WriteTransaction) in
        try transaction.add(card)
        try transaction.delete(transaction.objects(DanglingReader.self))
        throw OptimisticFailure(reason: "rolled back")
      }
    }
    #expect(card._stamp == 0)
    try fixture.saveAndWait(entity: card, update: .all, ifUnchanged: true)
    let stored = try fixture.store().fetchObject(ofType: DanglingCard.self, forPrimaryKey: 7)
    #expect(stored?.reader?.id == 1)
  }

  @Test("an object that a rolled back write added is new, or as it was read", arguments: StoreKind.allCases)
  func objectsOfRolledBackWrites(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let new = OptimisticCounter(1, value: 1)
    func rollBack(_ object: OptimisticCounter) {
      #expect(throws: OptimisticFailure.self) {
        try fixture.store().write { (transaction: WriteTransaction) in
          try transaction.add(object, update: .all)
          throw OptimisticFailure(reason: "rolled back")
        }
      }
    }
    rollBack(new)
    try save(new, in: fixture)
    new.value += 1
    rollBack(new)
    try save(new, in: fixture)
    let read = try counter(in: fixture)
    read.value += 1
    rollBack(read)
    try save(read, in: fixture)
    #expect(try counter(in: fixture).value == 3)
  }

  private func write(in fixture: Fixture, _ body: () throws -> Void) throws {
    try fixture.store().write { (_: WriteTransaction) in try body() }
  }

  @Test(arguments: StoreKind.allCases) func objectsOfResultsAndScopes(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let store = fixture.store()
    try fixture.saveAndWait(entities: [OptimisticCounter(1), OptimisticCounter(2), OptimisticCounter(3)])
    let found = try store.objects(OptimisticCounter.self).where { $0.id >= 2 }.all()
    let read = try store.read { try $0.object(ofType: OptimisticCounter.self, forPrimaryKey: 1) }
    let all = found + [try #require(read)]
    for object in all {
      object.value = 7
      try save(object, in: fixture)
      let copy = try counter(object.id, in: fixture).detached()
      copy.value = 8
      try save(copy, in: fixture)
      object.value = 9
      expectConflict(["OptimisticCounter[\(object.id)]"]) { try save(object, in: fixture) }
    }
    #expect(try store.objects(OptimisticCounter.self).all().map(\.value) == [8, 8, 8])
  }

  @Test(arguments: StoreKind.allCases) func whatIsSavedWithItIsComparedToo(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let ada = OptimisticUser("ada", points: 1)
    ada.friend = OptimisticUser("bob", points: 2)
    ada.address = OptimisticAddress(value: ["city": "London"])
    try fixture.saveAndWait(entity: ada)
    // A link that is only there.
    let first = try user(in: fixture)
    try fixture.saveAndWait(entity: OptimisticUser("bob", points: 3))
    first.points = 2
    try save(first, in: fixture)
    // A linked object that is saved with it.
    first.friend?.points = 4
    let changed = try #require(first.friend)
    #expect(changed.points == 4)
    try fixture.saveAndWait(entity: OptimisticUser("bob", points: 5))
    first.points = 3
    expectConflict(["OptimisticUser[bob]"]) { try save(first, in: fixture) }
    #expect(try user(in: fixture).points == 2)
    #expect(try user("bob", in: fixture).points == 5)
    // A new one.
    let second = try user(in: fixture)
    second.friend = OptimisticUser("zoe")
    try save(second, in: fixture)
    second.friend = OptimisticUser("zoe")
    expectConflict(["OptimisticUser[zoe]"]) { try save(second, in: fixture) }
    // Parts belong to their owner.
    let third = try user(in: fixture)
    let other = try user(in: fixture)
    other.address?.city = "Paris"
    try save(other, in: fixture)
    third.points = 9
    expectConflict(["OptimisticUser[ada]"]) { try save(third, in: fixture) }
  }

  @Test(arguments: StoreKind.allCases) func longLists(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let ada = OptimisticUser("ada", points: 1)
    ada.numbers.append(objectsIn: Array(1_000_000...1_005_000))
    try save(ada, in: fixture)
    // Again, with its elements.
    ada.numbers[7] = 0
    try save(ada, in: fixture)
    ada.points = 2
    try save(ada, in: fixture)
    // Elements that were not read stay.
    let first = try user(in: fixture)
    first.points = 3
    try save(first, in: fixture)
    first.points = 4
    try save(first, in: fixture)
    // Elements that were read are compared.
    let (second, third) = (try user(in: fixture), try user(in: fixture))
    #expect(second.numbers[7] == 0 && third.numbers[8] == 1_000_008)
    second.numbers[7] = 1
    try save(second, in: fixture)
    third.points = 5
    expectConflict(["OptimisticUser[ada]"]) { try save(third, in: fixture) }
    let fourth = try user(in: fixture)
    #expect(fourth.points == 4 && fourth.numbers[7] == 1 && fourth.numbers.count == 5_001)
  }

  @Test(arguments: StoreKind.allCases) func derivedProperties(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let own = OptimisticNote(value: ["id": 1, "text": "A"])
    try save(own, in: fixture)
    own.text = "B"
    try save(own, in: fixture)
    #expect(own.search == "b")
    own.text = "C"
    try save(own, in: fixture)
    // What a save without the comparison has stored is not known.
    try fixture.saveAndWait(entity: own)
    own.text = "D"
    expectConflict(["OptimisticNote[1]"]) { try save(own, in: fixture) }
    #expect(try fixture.store().fetchObject(ofType: OptimisticNote.self, forPrimaryKey: 1)?.search == "c")
  }

  @Test(arguments: StoreKind.allCases) func aFailedSaveLeavesTheObjectAsItWas(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    try fixture.saveAndWait(entity: OptimisticCounter(1))
    let own = try counter(in: fixture)
    own.value = 1
    let error = #expect(throws: FiefError.self) { try save(own, .error, in: fixture) }
    #expect(error?.code == .duplicatePrimaryKey)
    try save(own, in: fixture)
    #expect(try counter(in: fixture).value == 1)
  }
}
