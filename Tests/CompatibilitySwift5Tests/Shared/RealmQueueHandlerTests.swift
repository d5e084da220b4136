import FiefRealm
import FiefTesting
import Foundation
import Testing

final class Cat: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age: Int8 = 0
  @Persisted var friends: List<Cat>
  @Persisted var names: MutableSet<String>
  @Persisted var byName: Map<String, Cat?>
}

/// A screen that names the main queue in each observation.
@MainActor private final class QueueScreen {
  let realm: Realm
  let cat: Cat
  var calls: Set<String> = []
  private(set) var wrong: [String] = []
  private var tokens: [NotificationToken] = []

  init(_ realm: Realm, _ cat: Cat) { (self.realm, self.cat) = (realm, cat) }

  func reload(_ what: String) { calls.insert(what) }

  func handle(_ change: RealmCollectionChange<Results<Cat>>) { reload("handle") }

  func follow() {
    let cats = realm.objects(Cat.self).sorted(byKeyPath: "name")
    let queue: DispatchQueue = .main
    let optional: DispatchQueue? = .main
    keep(cats.observe(on: DispatchQueue.main) { [weak self] _ in self?.reload("results") })
    keep(cats.observe(on: DispatchQueue.main) { _ in self.reload("self") })
    keep(cats.observe(on: .main) { [weak self] _ in self?.reload("short") })
    keep(cats.observe(on: queue) { [weak self] _ in self?.reload("variable") })
    keep(cats.observe(on: optional) { [weak self] _ in self?.reload("optional") })
    keep(cats.observe(on: nil) { [weak self] _ in self?.reload("nil") })
    keep(cats.observe(on: DispatchQueue.main, handle))
    keep(cats.observe(keyPaths: ["age"], on: DispatchQueue.main) { [weak self] _ in self?.reload("name") })
    keep(cats.observe(keyPaths: [\.age], on: DispatchQueue.main) { [weak self] _ in self?.reload("path") })
    keep(AnyRealmCollection(cats).observe(on: DispatchQueue.main) { [weak self] _ in self?.reload("any") })
    keep(
      cats.sectioned(by: \.name).observe(on: DispatchQueue.main) { [weak self] _ in self?.reload("sections") }
    )
    keep(cat.names.observe(on: DispatchQueue.main) { [weak self] _ in self?.reload("set") })
    keep(cat.byName.observe(on: DispatchQueue.main) { [weak self] _ in self?.reload("map") })
    keep(
      cat.byName.observe(keyPaths: [\.age], on: DispatchQueue.main) { [weak self] _ in self?.reload("links") }
    )
    keep(
      cat.observe(keyPaths: [\.age], on: DispatchQueue.main) { [weak self] _ in self?.reload("object path") }
    )
    keep(cat.observe(on: DispatchQueue.main) { [weak self] change in self?.object(change) })
    keep(cat.friends.observe(on: DispatchQueue.main) { [weak self] change in self?.list(change) })
  }

  private func keep(_ token: NotificationToken) { tokens.append(token) }

  /// The held instance has the values of the change.
  private func object(_ change: ObjectChange<Cat>) {
    guard case .change(let shown, let properties) = change else { return }
    if cat.age != shown.age { wrong.append("object \(cat.age) \(shown.age)") }
    if properties.contains(where: { $0.name == "age" && $0.newValue as? Int != Int(shown.age) }) {
      wrong.append("new value")
    }
    reload("object")
  }

  /// The held list has the elements of the change, and so do results.
  private func list(_ change: RealmCollectionChange<List<Cat>>) {
    switch change {
    case .initial(let shown), .update(let shown, _, _, _):
      if cat.friends.map(\.name) != shown.map(\.name) { wrong.append("list") }
      if realm.objects(Cat.self).count != shown.count + 1 { wrong.append("results") }
    case .error: wrong.append("error")
    }
    reload("list")
  }
}

/// A class that belongs to no actor.
private final class PlainCats {
  private(set) var calls = 0
  private var tokens: [NotificationToken] = []

  func reload() {
    MainActor.assertIsolated()
    calls += 1
  }

  func follow(_ realm: Realm) {
    let cats = realm.objects(Cat.self)
    tokens.append(cats.observe(on: DispatchQueue.main) { [weak self] _ in self?.reload() })
    tokens.append(cats.observe(on: DispatchQueue.main) { _ in self.reload() })
  }
}

private actor CatKeeper {
  private(set) var calls = 0
  private var token: NotificationToken?

  /// The closure belongs to the actor, so the actor takes precedence over the queue.
  func follow(_ realm: Realm) {
    token = realm.objects(Cat.self).observe(on: DispatchQueue.main) { _ in
      self.assertIsolated()
      self.calls += 1
    }
  }
}

/// Handlers for which the code names a queue, in both language modes.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct RealmQueueHandlerTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Cat.self])
    )
  }

  @Test @MainActor func aScreenIsToldOnTheMainQueue() async throws {
    let cat = Cat(value: ["name": "Ada"])
    try realm.write { realm.add(cat) }
    let screen = QueueScreen(realm, cat)
    screen.follow()
    while !screen.calls.contains("list") { try await Task.sleep(for: .milliseconds(1)) }
    for number in 1...5 {
      try await realm.write { transaction in
        guard let cat = try transaction.object(ofType: Cat.self, forPrimaryKey: "Ada") else { return }
        cat.age += 1
        let friend = try transaction.create(Cat.self, value: ["name": "\(number)"])
        cat.friends.append(friend)
        cat.byName["\(number)"] = friend
      }
    }
    while screen.calls.count < 17 || cat.age < 5 || cat.friends.count < 5 {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(screen.wrong == [])
    realm.close()
  }

  @Test @MainActor func aPlainClassIsToldOnTheMainQueue() async throws {
    let cats = PlainCats()
    Self.follow(cats, realm)
    while cats.calls < 2 { try await Task.sleep(for: .milliseconds(1)) }
    realm.close()
  }

  nonisolated private static func follow(_ cats: PlainCats, _ realm: Realm) { cats.follow(realm) }

  @Test func anActorIsToldOnItself() async throws {
    let keeper = CatKeeper()
    await keeper.follow(realm)
    while await keeper.calls == 0 { try await Task.sleep(for: .milliseconds(1)) }
    realm.close()
  }

  @Test func aHandlerWithoutAnActorIsToldOnTheQueue() async throws {
    let queue = DispatchQueue(label: "cats")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let (calls, continuation) = AsyncStream<Bool>.makeStream()
    let token = realm.objects(Cat.self).observe(on: queue) { _ in
      continuation.yield(DispatchQueue.getSpecific(key: key) == true)
    }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == true)
    token.invalidate()
    realm.close()
  }
}
