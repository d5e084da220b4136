import FiefRealm
import FiefTesting
import Foundation
import Testing

private class SeenOwner: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
  @Persisted var note: Int?
  @Persisted var dog: SeenPet?
  @Persisted var pets: List<SeenPet>
  @Persisted var kinds: MutableSet<String>
}

private class SeenPet: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "dog") var owners: LinkingObjects<SeenOwner>
}

/// Observers of one object.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct ObjectObservingTests {
  private let realm: Realm
  private let owner: SeenOwner
  private let pet: SeenPet
  private let told = ToldChanges()
  private let queue = DispatchQueue(label: "observers")

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [SeenOwner.self, SeenPet.self]
      )
    )
    (owner, pet) = (SeenOwner(value: ["name": "Jane"]), SeenPet(value: ["name": "Rex"]))
    owner.dog = pet
    owner.pets.append(pet)
    let (realm, owner) = (realm, owner)
    try realm.write { realm.add(owner) }
  }

  @Test func whatCannotBeObservedIsAnError() async throws {
    let unsaved = SeenOwner(value: ["name": "Bob"])
    let none = unsaved.observe(on: queue) { [told] in told.note($0) }
    #expect(await told.next() == ["objectNotFound"])
    let nothing = owner.observe(keyPaths: ["nothing"], on: queue) { [told] in told.note($0) }
    #expect(await told.next() == ["unknownProperty"])
    let behind = owner.observe(keyPaths: ["pets.nothing"], on: queue) { [told] in told.note($0) }
    #expect(await told.next() == ["unknownProperty"])
    for token in [none, nothing, behind] { token.invalidate() }
  }

  @Test func changesAndTheDeletionAreTold() async throws {
    let token = owner.observe(on: queue) { [told] in told.note($0) }
    try realm.write { owner.age = 2 }
    #expect(await told.next() == ["age 0 2"])
    try await realm.write { tx in
      try tx.object(ofType: SeenOwner.self, forPrimaryKey: "Jane")?.age = 3
    }
    #expect(await told.next() == ["age 2 3"])
    for (note, text) in [(1, "note - 1"), (2, "note 1 2"), (nil, "note 2 -")] as [(Int?, String)] {
      try realm.write { owner.note = note }
      #expect(await told.next() == [text])
    }
    try realm.write { owner.pets.append(SeenPet(value: ["name": "Tom"])) }
    #expect(await told.next() == ["pets - -"])
    try realm.write { owner.kinds.insert("dog") }
    #expect(await told.next() == ["kinds - -"])
    try realm.write { realm.delete(owner) }
    #expect(await told.next() == ["deleted"])
    token.invalidate()
  }

  /// A change that is not observed is not reported: the next report is of a later change.
  @Test func someKeyPathsAreObserved() async throws {
    let texts = owner.observe(keyPaths: ["note", "age"], on: queue) { [told] in told.note($0) }
    try realm.write { owner.kinds.insert("a") }
    try realm.write { owner.age = 1 }
    #expect(await told.next() == ["age 0 1"])
    texts.invalidate()
    let paths = owner.observe(keyPaths: [\SeenOwner.note, \SeenOwner.age], on: queue) { [told] in
      told.note($0)
    }
    try realm.write { owner.kinds.insert("b") }
    try realm.write { owner.note = 7 }
    #expect(await told.next() == ["note - 7"])
    try await realm.write { tx in
      try tx.object(ofType: SeenOwner.self, forPrimaryKey: "Jane")?.kinds.insert("c")
    }
    try realm.write { owner.age = 5 }
    #expect(await told.next() == ["age 1 5"])
    paths.invalidate()
  }

  @Test func keyPathsThroughLists() async throws {
    let list = owner.observe(keyPaths: ["pets"], on: queue) { [told] in told.note($0) }
    try realm.write { pet.age = 1 }
    try realm.write { owner.age = 1 }
    try realm.write { owner.pets.append(SeenPet(value: ["name": "Tom"])) }
    #expect(await told.next() == ["pets - -"])
    try realm.write { owner.pets[0] = SeenPet(value: ["name": "Max"]) }
    #expect(await told.next() == ["pets - -"])
    list.invalidate()
    let elements = owner.observe(keyPaths: ["pets.age"], on: queue) { [told] in told.note($0) }
    try realm.write { owner.age = 2 }
    try realm.write { realm.object(ofType: SeenPet.self, forPrimaryKey: "Max")?.age = 4 }
    #expect(await told.next() == ["pets - -"])
    try realm.write { owner.pets.append(pet) }
    #expect(await told.next() == ["pets - -"])
    try realm.write { realm.delete(pet) }
    #expect(await told.next() == ["pets - -"])
    elements.invalidate()
  }

  @Test func keyPathsThroughLinks() async throws {
    let link = owner.observe(keyPaths: ["dog"], on: queue) { [told] in told.note($0) }
    try realm.write { owner.age = 1 }
    try realm.write { pet.age = 1 }
    try realm.write { owner.dog = nil }
    #expect(await told.next() == ["dog - -"])
    try realm.write { owner.dog = pet }
    #expect(await told.next() == ["dog - -"])
    link.invalidate()
    let linked = owner.observe(keyPaths: ["dog.age"], on: queue) { [told] in told.note($0) }
    try realm.write { pet.age = 2 }
    #expect(await told.next() == ["dog - -"])
    try realm.write { owner.dog = SeenPet(value: ["name": "Tom"]) }
    #expect(await told.next() == ["dog - -"])
    linked.invalidate()
  }

  @Test func keyPathsThroughInverses() async throws {
    let inverse = pet.observe(keyPaths: ["owners"], on: queue) { [told] in told.note($0) }
    try realm.write { pet.age = 1 }
    try realm.write { owner.age = 1 }
    try realm.write { realm.create(SeenOwner.self, value: ["name": "Bob", "dog": pet] as [String: Any]) }
    #expect(await told.next() == ["owners - -"])
    inverse.invalidate()
    let origins = pet.observe(keyPaths: ["owners.age"], on: queue) { [told] in told.note($0) }
    try realm.write { owner.note = 1 }
    try realm.write { owner.age = 2 }
    #expect(await told.next() == ["owners - -"])
    try realm.write { realm.create(SeenOwner.self, value: ["name": "Eve", "dog": pet] as [String: Any]) }
    #expect(await told.next() == ["owners - -"])
    origins.invalidate()
  }

  @Test func anObserverThatEndedIsToldNothing() async throws {
    let ended = owner.observe(on: queue) { _ in Issue.record("It was told.") }
    let token = owner.observe(on: queue) { [told] in told.note($0) }
    ended.invalidate()
    try realm.write { owner.age = 2 }
    #expect(await told.next() == ["age 0 2"])
    token.invalidate()
  }

  @MainActor @Test func anActorIsToldOnIt() async throws {
    let token = owner.observe(keyPaths: ["age"], on: MainActor.shared) { [told] _, change in
      MainActor.assertIsolated()
      if case .change(let object, _) = change { #expect(object.name == "Jane" && object.age == 2) }
      told.note(change)
    }
    try await realm.asyncWrite { owner.note = 1 }
    try await realm.asyncWrite { owner.age = 2 }
    #expect(await told.next() == ["age 0 2"])
    token.invalidate()
  }

  @Test func objectsAreTheSameByTheirPlace() throws {
    let read = try #require(realm.object(ofType: SeenOwner.self, forPrimaryKey: "Jane"))
    #expect(read == owner && read.hashValue == owner.hashValue && read.isSameObject(as: owner))
    #expect(owner != SeenOwner(value: ["name": "Jane"]))
    #expect(realm.objects(type(of: owner)).count == 1)
    #expect(realm.object(ofType: type(of: owner), forPrimaryKey: "Jane") == owner)
  }
}

/// The changes that observers got.
private final class ToldChanges: Sendable {
  private let told = Lock<[String]>([])

  /// Notes the names of what has changed, with the values before and after.
  func note<Observed>(_ change: ObjectChange<Observed>) {
    func text(_ value: Any?) -> String { (value as? Int).map { "\($0)" } ?? "-" }
    told.withLock { told in
      switch change {
      case .change(_, let properties):
        told += properties.map { "\($0.name) \(text($0.oldValue)) \(text($0.newValue))" }
      case .deleted: told.append("deleted")
      case .error(let error): told.append("\((error as? FiefError)?.code.rawValue ?? "error")")
      }
    }
  }

  /// Suspends until something was reported, and returns it.
  func next(_ count: Int = 1) async -> [String] {
    while told.withLock({ $0.count }) < count { try? await Task.sleep(for: .milliseconds(1)) }
    return told.withLock { told in
      defer { told = [] }
      return told
    }
  }
}
