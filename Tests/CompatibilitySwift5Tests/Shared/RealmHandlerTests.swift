import FiefRealm
import FiefTesting
import Foundation
import Testing

final class Kitten: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var friends: List<Kitten>
  @Persisted var toys: Map<String, Int>
}

/// A screen with the line that every one has, which follows everything that can be observed.
@MainActor private final class KittenScreen {
  let realm: Realm
  var calls: [String] = []
  private var tokens: [NotificationToken] = []
  private let label = Kitten()

  init(_ realm: Realm) { self.realm = realm }

  func reload(_ what: String) {
    calls.append(what)
    label.name = what
  }

  func handle(_ change: RealmCollectionChange<Results<Kitten>>) { reload("handle") }

  func follow(_ kitten: Kitten) {
    let kittens = realm.objects(Kitten.self)
    tokens.append(kittens.observe { [weak self] change in self?.reload("results") })
    tokens.append(kittens.observe { _ in self.label.name = "direct" })
    tokens.append(kittens.observe(handle))
    tokens.append(kittens.observe(keyPaths: ["name"]) { [weak self] _ in self?.reload("names") })
    tokens.append(kittens.observe(keyPaths: [\.name]) { [weak self] _ in self?.reload("paths") })
    tokens.append(kittens.observe(on: .main) { [weak self] _ in self?.reload("main queue") })
    tokens.append(kittens.observe(on: MainActor.shared) { [weak self] _ in self?.reload("main actor") })
    tokens.append(kitten.observe { [weak self] _ in self?.reload("object") })
    tokens.append(kitten.observe(keyPaths: [\.toys]) { [weak self] _ in self?.reload("property") })
    tokens.append(kitten.friends.observe { [weak self] _ in self?.reload("list") })
    tokens.append(kitten.toys.observe { [weak self] _ in self?.reload("map") })
    tokens.append(kittens.sectioned(by: \.name).observe { [weak self] _ in self?.reload("sections") })
    tokens.append(AnyRealmCollection(kittens).observe { [weak self] _ in self?.reload("hidden") })
    tokens.append(realm.observe { [weak self] _, _ in self?.reload("realm") })
  }

  var isComplete: Bool { Set(calls).count == 13 }
}

private actor KittenKeeper {
  var calls = 0
  private var token: NotificationToken?

  func reload() { calls += 1 }

  func follow(_ realm: Realm) {
    token = realm.objects(Kitten.self).observe { _ in self.reload() }
  }
}

/// A class that belongs to no actor, as older code has them.
private final class PlainModel {
  var calls = 0
  private(set) var token: NotificationToken?

  func reload() {
    MainActor.assertIsolated()
    calls += 1
  }

  func follow(_ realm: Realm) {
    token = realm.objects(Kitten.self).observe { [weak self] _ in self?.reload() }
  }
}

/// The places where handlers are called that were written for Realm, in both language modes.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct RealmHandlerTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [Kitten.self]
      )
    )
  }

  @Test @MainActor func aScreenIsToldOnTheMainActor() async throws {
    let kitten = Kitten(value: ["name": "Ada"])
    try realm.write { realm.add(kitten) }
    let screen = KittenScreen(realm)
    screen.follow(kitten)
    try realm.write {
      kitten.toys["ball"] = 1
      kitten.friends.append(realm.create(Kitten.self, value: ["name": "Bob"]))
    }
    while !screen.isComplete { try await Task.sleep(for: .milliseconds(1)) }
    realm.close()
  }

  @Test func anActorIsToldOnItself() async throws {
    let keeper = KittenKeeper()
    await keeper.follow(realm)
    while await keeper.calls == 0 { try await Task.sleep(for: .milliseconds(1)) }
    realm.close()
  }

  @Test @MainActor func aPlainClassIsToldOnTheMainQueueWhereItObservesOnTheMainThread() async throws {
    let model = PlainModel()
    Self.follow(model, realm)
    while model.calls == 0 { try await Task.sleep(for: .milliseconds(1)) }
    realm.close()
  }

  nonisolated private static func follow(_ model: PlainModel, _ realm: Realm) { model.follow(realm) }

  @Test func aCallerWithoutAPlaceIsToldOnAThreadOfTheLibrary() async throws {
    let (calls, continuation) = AsyncStream<Bool>.makeStream()
    let token = realm.objects(Kitten.self).observe { @Sendable _ in continuation.yield(Thread.isMainThread) }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == false)
    token.invalidate()
    realm.close()
  }
}

// Both language modes compile the example. It runs in one, since the default configuration is one for the process.
#if swift(>=6)
  /// The example of *Coming from Realm*. It has no sandbox, which a queue of Dispatch would not inherit.
  @Suite(.timeLimit(.minutes(20))) struct RealmExampleTests {
    @Test @MainActor func theExampleOfTheArticleRuns() async throws {
      let former = Realm.Configuration.defaultConfiguration
      defer { Realm.Configuration.defaultConfiguration = former }
      Realm.Configuration.defaultConfiguration = Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [Puppy.self]
      )
      let model = KennelModel()
      model.follow()
      model.importPuppies(["Rex", "Ada"])
      while model.names != ["Ada", "Rex"] { try await Task.sleep(for: .milliseconds(1)) }
      let rex = try #require(model.realm.object(ofType: Puppy.self, forPrimaryKey: "Rex"))
      try model.birthday(of: rex)
      #expect(rex.age == 1)
      model.realm.close()
    }
  }
#endif
