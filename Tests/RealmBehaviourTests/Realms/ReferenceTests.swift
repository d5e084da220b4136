import FiefRealm
import FiefTesting
import Foundation
import Testing

private class ReferredPart: EmbeddedObject {
  @Persisted var title = ""
  @Persisted var sizes: List<Int>
}

private class ReferredThing: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var numbers: List<Int>
  @Persisted var others: List<ReferredThing>
  @Persisted var tags: MutableSet<String>
  @Persisted var prices: Map<String, Int>
  @Persisted var part: ReferredPart?
  @Persisted var parts: List<ReferredPart>
  @Persisted var named: Map<String, ReferredPart?>
  @Persisted(originProperty: "others") var owners: LinkingObjects<ReferredThing>
}

private final class ReferredView: Projection<ReferredThing> {
  @Projected(\ReferredThing.name) var name
  @Projected(\ReferredThing.numbers) var numbers
}

/// References to what is not an object of its own.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct ReferenceTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func open(_ inMemory: Bool) throws -> Realm {
    var configuration = files.configuration()
    configuration.objectTypes = [ReferredThing.self, ReferredPart.self]
    if inMemory { configuration.inMemoryIdentifier = UUID().uuidString }
    return try Realm(configuration: configuration)
  }

  private func fill(_ realm: Realm) throws -> ReferredThing {
    try realm.write {
      realm.create(
        ReferredThing.self,
        value: [
          "name": "a", "numbers": [1, 2], "tags": ["x"], "prices": ["low": 3], "others": [["name": "b"]],
          "part": ["title": "one", "sizes": [7]], "parts": [["title": "two"], ["title": "three"]],
          "named": ["key": ["title": "four"]],
        ] as [String: Any]
      )
    }
    return try #require(realm.object(ofType: ReferredThing.self, forPrimaryKey: "a"))
  }

  @Test(arguments: [false, true]) func collectionsAreHandedOn(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let thing = try fill(realm)
    let numbers = ThreadSafeReference(to: thing.numbers)
    let others = ThreadSafeReference(to: thing.others)
    let tags = ThreadSafeReference(to: thing.tags)
    let prices = ThreadSafeReference(to: thing.prices)
    try await Task.detached {
      #expect(try realm.fetchObject(numbers).map { Array($0) } == [1, 2])
      #expect(realm.resolve(others)?.map(\.name) == ["b"])
      #expect(realm.resolve(tags)?.contains("x") == true)
      #expect(realm.resolve(prices)?["low"] == 3)
      try realm.write {
        let list = try #require(try realm.fetchObject(numbers))
        list.append(3)
      }
    }.value
    #expect(realm.resolve(numbers).map { Array($0) } == [1, 2, 3])
    #expect(
      realm.object(ofType: ReferredThing.self, forPrimaryKey: "a").map { Array($0.numbers) } == [1, 2, 3]
    )
  }

  @Test(arguments: [false, true]) func embeddedObjectsAreHandedOn(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let thing = try fill(realm)
    let one = ThreadSafeReference(to: try #require(thing.part))
    let three = ThreadSafeReference(to: thing.parts[1])
    let four = ThreadSafeReference(to: try #require(thing.named["key"] ?? nil))
    let sizes = ThreadSafeReference(to: try #require(thing.part).sizes)
    await Task.detached {
      #expect(realm.resolve(one)?.title == "one" && realm.resolve(three)?.title == "three")
      #expect(realm.resolve(four)?.title == "four" && realm.resolve(sizes).map { Array($0) } == [7])
    }.value
    try realm.write { thing.parts.removeLast() }
    #expect(try realm.fetchObject(three) == nil)
    withExtendedLifetime(thing) {}
  }

  @Test(arguments: [false, true]) func resultsAndInversesAreHandedOn(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let thing = try fill(realm)
    let results = ThreadSafeReference(to: realm.objects(ReferredThing.self).filter("name == 'b'"))
    let inverse = ThreadSafeReference(to: try #require(thing.others.first).owners)
    let hidden = ThreadSafeReference(to: AnyRealmCollection(realm.objects(ReferredThing.self)))
    await Task.detached {
      #expect(realm.resolve(results)?.map(\.name) == ["b"])
      #expect(realm.resolve(inverse)?.results.map(\.name) == ["a"])
      #expect(realm.resolve(hidden)?.count == 2)
    }.value
    let named = try #require(thing.others.first)["owners"] as? LinkingObjects<ReferredThing>
    #expect(named?.results.map(\.name) == ["a"])
    let other = try open(true)
    defer { other.close() }
    #expect(errorCode { _ = try other.fetchObject(results) } == .foreignObject)
  }

  /// The owner of the collection is not held: it is known by its key.
  @Test(arguments: [false, true]) func aCollectionIsHandedOnWithoutItsObject(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    _ = try fill(realm)
    let tags = try #require(realm.object(ofType: ReferredThing.self, forPrimaryKey: "a")).tags
    let reference = ThreadSafeReference(to: tags)
    #expect(try realm.fetchObject(reference)?.contains("x") == true)
    let part = try #require(realm.object(ofType: ReferredThing.self, forPrimaryKey: "a")?.part)
    #expect(errorCode { _ = try realm.fetchObject(ThreadSafeReference(to: part)) } != nil)
  }

  @Test(arguments: [false, true]) func projectionsAreHandedOn(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let thing = try fill(realm)
    let reference = ThreadSafeReference(to: ReferredView(projecting: thing))
    await Task.detached {
      let view = realm.resolve(reference)
      #expect(view?.name == "a" && view.map { Array($0.numbers) } == [1, 2])
    }.value
    try realm.write { realm.deleteAll() }
    #expect(try realm.fetchObject(reference) == nil)
    let none = ThreadSafeReference(to: ReferredView(projecting: ReferredThing()))
    #expect(errorCode { _ = try realm.fetchObject(none) } == .foreignObject)
  }

  @Test(arguments: [false, true]) func whatIsInNoStoreIsRefused(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let thing = ReferredThing(value: ["name": "a", "numbers": [1], "part": ["title": "one"]])
    let (list, part) = (
      ThreadSafeReference(to: thing.numbers), ThreadSafeReference(to: try #require(thing.part))
    )
    #expect(errorCode { _ = try realm.fetchObject(list) } == .foreignObject)
    #expect(errorCode { _ = try realm.fetchObject(part) } == .foreignObject)
    #expect(errorCode { _ = try realm.fetchObject(ThreadSafeReference(to: List<Int>())) } == .foreignObject)
    let stored = try fill(realm)
    let early = ThreadSafeReference(to: stored.tags)
    try realm.write { realm.deleteAll() }
    #expect(try realm.fetchObject(early) == nil)
    #expect(errorCode { _ = try realm.fetchObject(ThreadSafeReference(to: stored)) } == .objectNotFound)
    withExtendedLifetime(stored) {}
  }
}
