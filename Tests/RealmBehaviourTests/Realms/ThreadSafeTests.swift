import FiefRealm
import FiefTesting
import Foundation
import Testing

private class SharedPart: EmbeddedObject {
  @Persisted var title = ""
}

private class SharedThing: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var count = 0
  @Persisted var things: List<SharedThing>
  @Persisted var tags: MutableSet<String>
  @Persisted var prices: Map<String, SharedThing?>
  @Persisted var part: SharedPart?
  @Persisted(originProperty: "things") var owners: LinkingObjects<SharedThing>
}

private final class SharedView: Projection<SharedThing> {
  @Projected(\SharedThing.count) var number
}

private struct Shared: Sendable {
  @ThreadSafe var thing: SharedThing?
  @ThreadSafe var part: SharedPart?
  @ThreadSafe var list: List<SharedThing>?
  @ThreadSafe var tags: MutableSet<String>?
  @ThreadSafe var prices: Map<String, SharedThing?>?
  @ThreadSafe var owners: LinkingObjects<SharedThing>?
  @ThreadSafe var results: Results<SharedThing>?
  @ThreadSafe var hidden: AnyRealmCollection<SharedThing>?
  @ThreadSafe var view: SharedView?
}

/// Properties whose values are used on any thread.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct ThreadSafeTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func open(_ inMemory: Bool) throws -> Realm {
    var configuration = files.configuration()
    configuration.objectTypes = [SharedThing.self, SharedPart.self]
    if inMemory { configuration.inMemoryIdentifier = UUID().uuidString }
    return try Realm(configuration: configuration)
  }

  private func make(_ realm: Realm) throws -> SharedThing {
    try realm.write {
      realm.create(
        SharedThing.self,
        value: [
          "name": "a", "count": 1, "things": [["name": "b"]], "tags": ["x"], "part": ["title": "one"],
          "prices": ["low": ["name": "c"]],
        ] as [String: Any]
      )
    }
  }

  /// Calls a closure on a thread of its own, and waits for it.
  private func onThread(_ body: @escaping @Sendable () throws -> Void) {
    let thread = OwnThread()
    let ended = DispatchSemaphore(value: 0)
    thread.begin {
      do { try body() } catch { Issue.record(error) }
    }
    thread.end { ended.signal() }
    ended.wait()
  }

  @Test(arguments: [false, true]) func anObjectIsChangedOnAnotherThread(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let shared = Shared(thing: try make(realm))
    #expect(shared.thing?.name == "a" && shared.thing?.count == 1)
    for count in [2, 3] {
      onThread { try realm.write { shared.thing?.count = count } }
      #expect(shared.thing?.count == count)
    }
    onThread { try realm.write { if let thing = shared.thing { realm.delete(thing) } } }
    #expect(shared.thing == nil)
  }

  @Test(arguments: [false, true]) func itIsAssignedOnAnyThread(inMemory: Bool) throws {
    let (realm, other) = (try open(inMemory), try open(true))
    defer {
      realm.close()
      other.close()
    }
    let shared = Shared(thing: nil)
    #expect(shared.thing == nil)
    onThread {
      try realm.write { shared.thing = realm.create(SharedThing.self, value: ["name": "x", "count": 5]) }
    }
    #expect(shared.thing?.count == 5)
    onThread { shared.thing = nil }
    #expect(shared.thing == nil)
    onThread {
      try other.write { shared.thing = other.create(SharedThing.self, value: ["name": "y", "count": 6]) }
    }
    #expect(shared.thing?.count == 6 && shared.thing?.realm == other)
  }

  @Test func whatIsInNoStoreIsNotKept() throws {
    let realm = try open(true)
    defer { realm.close() }
    let unsaved = SharedThing(value: ["name": "a"])
    var shared: Shared?
    let made = withExpectedEvents { shared = Shared(thing: unsaved) }
    #expect(made.map { $0.failure?.code } == [.foreignObject] && shared?.thing == nil)
    let stored = Shared(thing: try make(realm), list: List<SharedThing>?.none)
    let events = withExpectedEvents { stored.thing = unsaved }
    #expect(events.map { $0.failure?.code } == [.foreignObject] && stored.thing?.name == "a")
    let list = withExpectedEvents { stored.list = List<SharedThing>() }
    #expect(list.map { $0.failure?.code } == [.foreignObject] && stored.list == nil)
    let gone = try #require(stored.thing)
    try realm.write { realm.deleteAll() }
    let deleted = withExpectedEvents { stored.thing = gone }
    #expect(deleted.map { $0.failure?.code } == [.objectNotFound])
  }

  @Test(arguments: [false, true]) func partsAndCollections(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let thing = try make(realm)
    let b = try #require(thing.things.first)
    let all = realm.objects(SharedThing.self)
    let shared = Shared(
      part: thing.part,
      list: thing.things,
      tags: thing.tags,
      prices: thing.prices,
      owners: b.owners,
      results: all.filter("name != 'c'").sorted(byKeyPath: "name", ascending: false),
      hidden: AnyRealmCollection(all),
      view: SharedView(projecting: thing)
    )
    onThread {
      #expect(shared.part?.title == "one" && shared.list?.map(\.name) == ["b"] && shared.tags?.count == 1)
      #expect(shared.prices?["low"]??.name == "c" && shared.owners?.results.map(\.name) == ["a"])
      #expect(shared.results?.map(\.name) == ["b", "a"] && shared.hidden?.count == 3)
      #expect(shared.view?.number == 1)
      try realm.write {
        shared.part?.title = "two"
        shared.list?.append(SharedThing(value: ["name": "d"]))
        shared.tags?.insert("y")
        shared.prices?["high"] = realm.create(SharedThing.self, value: ["name": "e"])
        shared.owners?.results.first?.count = 8
        #expect(shared.list?.count == 2 && shared.results?.count == 4)
      }
    }
    #expect(shared.part?.title == "two" && shared.list?.map(\.name) == ["b", "d"])
    #expect(shared.tags?.count == 2 && shared.prices?["high"]??.name == "e" && shared.view?.number == 8)
    #expect(shared.results?.map(\.name) == ["e", "d", "b", "a"] && shared.hidden?.count == 5)
    try realm.write { realm.deleteAll() }
    #expect(shared.part == nil && shared.list == nil && shared.tags == nil && shared.prices == nil)
    #expect(shared.owners == nil && shared.view == nil && shared.results?.count == 0)
  }

  private func change(@ThreadSafe thing: SharedThing?, in realm: Realm) {
    let shared = _thing
    onThread { try realm.write { shared.wrappedValue?.count = 7 } }
  }

  @Test(arguments: [false, true]) func variablesAndParameters(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    @ThreadSafe var thing = try make(realm)
    #expect(thing?.count == 1)
    change(thing: thing, in: realm)
    #expect(thing?.count == 7)
    let wrapper = _thing
    onThread { #expect(wrapper.wrappedValue?.count == 7) }
    thing = nil
    #expect(wrapper.wrappedValue == nil)
  }

  @Test(arguments: [false, true]) func manyThreadsUseOne(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let shared = Shared(thing: try make(realm))
    DispatchQueue.concurrentPerform(iterations: 40) { _ in
      do { try realm.write { shared.thing?.count += 1 } } catch { Issue.record(error) }
    }
    #expect(shared.thing?.count == 41)
  }

  @Test func aStoreThatIsClosedIsReported() throws {
    let realm = try open(false)
    let shared = Shared(thing: try make(realm))
    realm.close()
    let events = withExpectedEvents { #expect(shared.thing == nil) }
    #expect(events.map { $0.failure?.code } == [.storeClosed])
  }
}
