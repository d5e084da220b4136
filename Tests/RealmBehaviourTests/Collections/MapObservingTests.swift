import Dispatch
import FiefRealm
import FiefTesting
import Foundation
import Testing

private class MappedDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "dog") var owners: LinkingObjects<MappedOwner>
}

private class MappedOwner: Object {
  @Persisted var name = ""
  @Persisted var dog: MappedDog?
}

private class MappedHolder: Object {
  @Persisted var dogs: Map<String, MappedDog?>
  @Persisted var numbers: Map<String, Int>

  override class func propertiesMapping() -> [String: String] { ["dogs": "all_dogs"] }
}

/// What handlers were called with.
private final class ToldTexts: Sendable {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func note<Value>(_ change: RealmMapChange<Map<String, Value>>) { continuation.yield(Self.text(change)) }

  private static func text<Value>(_ change: RealmMapChange<Map<String, Value>>) -> String {
    switch change {
    case .initial(let map): "initial \(map.count)"
    case .update(let map, let deletions, let insertions, let modifications):
      "\(map.count) -\(deletions) +\(insertions) ~\(modifications)"
    case .error(let error): "\((error as? FiefError)?.code.rawValue ?? "error")"
    }
  }

  func next() async -> String? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}

/// Observers of maps.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct MapObservingTests {
  private let realm: Realm
  private let holder: MappedHolder
  private let queue = DispatchQueue(label: "observers")
  private let told = ToldTexts()

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [MappedDog.self, MappedOwner.self, MappedHolder.self]
      )
    )
    holder = MappedHolder()
    for (id, name) in [(1, "first"), (2, "second")] {
      holder.dogs[name] = MappedDog(value: ["id": id, "name": name, "age": id] as [String: Any])
      holder.numbers[name] = id
    }
    let (realm, holder) = (realm, holder)
    try realm.write {
      realm.add(holder)
      realm.create(MappedOwner.self, value: ["name": "Moe", "dog": holder.dogs["first"] as Any])
    }
  }

  private func observe(_ keyPaths: [String]? = nil) -> NotificationToken {
    holder.dogs.observe(keyPaths: keyPaths, on: queue) { [told] in told.note($0) }
  }

  private func change(_ body: (MappedDog) -> Void) throws {
    try realm.write { _ = realm.object(ofType: MappedDog.self, forPrimaryKey: 1).map(body) }
  }

  @Test func keysComeChangeAndGo() async throws {
    let token = observe()
    #expect(await told.next() == "initial 2")
    let dogs = holder.dogs
    try realm.write {
      dogs["new"] = MappedDog(value: ["id": 3])
      dogs["another"] = MappedDog(value: ["id": 4])
    }
    #expect(await told.next() == "4 -[] +[\"another\", \"new\"] ~[]")
    try realm.write { dogs["new"] = MappedDog(value: ["id": 5]) }
    #expect(await told.next() == "4 -[] +[] ~[\"new\"]")
    try realm.write { dogs["new"] = nil }
    #expect(await told.next() == "3 -[\"new\"] +[] ~[]")
    token.invalidate()
  }

  @Test func whatIsWatchedIsToldAndNothingElse() async throws {
    let token = observe(["age"])
    #expect(await told.next() == "initial 2")
    try change { $0.name = "not watched" }
    try change { $0.age = 8 }
    #expect(await told.next() == "2 -[] +[] ~[\"first\"]")
    try realm.write {
      let another = realm.create(MappedDog.self, value: ["id": 9, "age": 8])
      realm.objects(MappedHolder.self).first?.dogs["first"] = another
    }
    #expect(await told.next() == "2 -[] +[] ~[\"first\"]")
    try realm.write { realm.objects(MappedHolder.self).first?.dogs.removeObject(for: "first") }
    #expect(await told.next() == "1 -[\"first\"] +[] ~[]")
    // The key stays, with nil.
    try realm.write { realm.delete(realm.objects(MappedDog.self).filter("id == 2")) }
    #expect(await told.next() == "1 -[] +[] ~[\"second\"]")
    token.invalidate()
  }

  @Test func aWayThroughAnInverseIsWatched() async throws {
    let token = observe(["owners.name"])
    #expect(await told.next() == "initial 2")
    try change { $0.age = 8 }
    try realm.write { realm.objects(MappedOwner.self).first?.name = "Curley" }
    #expect(await told.next() == "2 -[] +[] ~[\"first\"]")
    try realm.write { realm.objects(MappedOwner.self).first?.dog = nil }
    #expect(await told.next() == "2 -[] +[] ~[\"first\"]")
    token.invalidate()
  }

  @Test func handlersAreCalledOnAnActor() async throws {
    let dogs = holder.dogs
    let names = dogs.observe(keyPaths: ["age"], on: MainActor.shared) { [told] _, change in
      MainActor.assertIsolated()
      told.note(change)
    }
    #expect(await told.next() == "initial 2")
    let paths = dogs.observe(keyPaths: [\.age], on: MainActor.shared) { [told] _, change in
      told.note(change)
    }
    #expect(await told.next() == "initial 2")
    try change { $0.name = "not watched" }
    try change { $0.age += 1 }
    for _ in 0..<2 { #expect(await told.next() == "2 -[] +[] ~[\"first\"]") }
    for token in [names, paths] { token.invalidate() }
    let queued = dogs.observe(keyPaths: [\MappedDog.name], on: queue) { [told] in told.note($0) }
    #expect(await told.next() == "initial 2")
    try change { $0.age += 1 }
    try change { $0.name = "new" }
    #expect(await told.next() == "2 -[] +[] ~[\"first\"]")
    queued.invalidate()
  }

  @Test func whatCannotBeWatchedIsAnError() async throws {
    let tokens = [
      observe(["nothing"]), observe(["owners.nothing"]),
      holder.numbers.observe(keyPaths: ["age"], on: queue) { [told] in told.note($0) },
      MappedHolder().dogs.observe(keyPaths: ["age"], on: queue) { [told] in told.note($0) },
    ]
    var codes: Set<String> = []
    for _ in tokens { codes.insert(await told.next() ?? "") }
    #expect(codes == ["unknownProperty", "invalidQuery", "objectNotFound"])
    for token in tokens { token.invalidate() }
  }
}
