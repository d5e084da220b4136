import Dispatch
import FiefRealm
import FiefTesting
import Foundation
import Testing

private class SeenThing: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var link: SeenTarget?
}

private class SeenTarget: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var number = 1
  @Persisted(originProperty: "link") var things: LinkingObjects<SeenThing>
}

private class SeenThings: Object {
  @Persisted var list: List<SeenThing>
  @Persisted var set: MutableSet<SeenThing>
}

/// What a handler was called with, one call after another.
private final class SeenChanges: Sendable {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func note<Collection: RandomAccessibleCount>(_ change: RealmCollectionChange<Collection>) {
    switch change {
    case .initial(let collection): continuation.yield("initial \(collection.seenCount)")
    case .update(let collection, let deletions, let insertions, let modifications):
      continuation.yield("\(collection.seenCount) -\(deletions) +\(insertions) ~\(modifications)")
    case .error(let error): continuation.yield("\((error as? FiefError)?.code.rawValue ?? "error")")
    }
  }

  func next() async -> String? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}

private protocol RandomAccessibleCount { var seenCount: Int { get } }
extension Results: RandomAccessibleCount { fileprivate var seenCount: Int { count } }
extension List: RandomAccessibleCount { fileprivate var seenCount: Int { count } }
extension MutableSet: RandomAccessibleCount { fileprivate var seenCount: Int { count } }
extension LinkingObjects: RandomAccessibleCount { fileprivate var seenCount: Int { count } }

private actor SeeingActor {
  let seen = SeenChanges()

  func observe(_ reference: ThreadSafeReference<List<SeenThing>>, _ realm: Realm) -> NotificationToken? {
    realm.resolve(reference)?.observe(on: self) { actor, change in
      actor.assertIsolated()
      actor.seen.note(change)
    }
  }
}

/// Observers of results, lists, sets and inverses.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct CollectionObservingTests {
  private let realm: Realm
  private let holder: SeenThings
  private let target: SeenTarget
  private let seen = SeenChanges()
  private let queue = DispatchQueue(label: "observers")

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [SeenThing.self, SeenTarget.self, SeenThings.self]
      )
    )
    (holder, target) = (SeenThings(), SeenTarget())
    let things = [1, 2].map {
      SeenThing(value: ["id": $0, "name": "\($0)", "link": target] as [String: Any])
    }
    holder.list.append(objectsIn: things)
    holder.set.insert(objectsIn: things)
    let (realm, holder) = (realm, holder)
    try realm.write { realm.add(holder) }
  }

  enum Kind: CaseIterable { case results, list, set, inverse }

  /// Observes a collection of two things.
  private func observe(_ kind: Kind, _ keyPaths: [String]? = nil) -> NotificationToken {
    let seen = seen
    return switch kind {
    case .results: realm.objects(SeenThing.self).observe(keyPaths: keyPaths, on: queue) { seen.note($0) }
    case .list: holder.list.observe(keyPaths: keyPaths, on: queue) { seen.note($0) }
    case .set: holder.set.observe(keyPaths: keyPaths, on: queue) { seen.note($0) }
    case .inverse: target.things.observe(keyPaths: keyPaths, on: queue) { seen.note($0) }
    }
  }

  private func observe(_ kind: Kind, _ keyPaths: [PartialKeyPath<SeenThing>]) -> NotificationToken {
    let seen = seen
    return switch kind {
    case .results: realm.objects(SeenThing.self).observe(keyPaths: keyPaths, on: queue) { seen.note($0) }
    case .list: holder.list.observe(keyPaths: keyPaths, on: queue) { seen.note($0) }
    case .set: holder.set.observe(keyPaths: keyPaths, on: queue) { seen.note($0) }
    case .inverse: target.things.observe(keyPaths: keyPaths, on: queue) { seen.note($0) }
    }
  }

  private func change(_ body: (SeenThing) -> Void) throws {
    try realm.write { _ = realm.object(ofType: SeenThing.self, forPrimaryKey: 1).map(body) }
  }

  @Test(arguments: Kind.allCases) func theBeginningAndAllDeletionsAreTold(_ kind: Kind) async throws {
    let token = observe(kind)
    #expect(await seen.next() == "initial 2")
    try realm.write { realm.delete(realm.objects(SeenThing.self)) }
    #expect(await seen.next() == "0 -[0, 1] +[] ~[]")
    token.invalidate()
  }

  @Test func aReplacedElementOfAListIsAModificationAndAMovedOneIsNot() async throws {
    let token = observe(.list)
    #expect(await seen.next() == "initial 2")
    let holder = holder
    try realm.write { holder.list[0] = SeenThing(value: ["id": 3]) }
    #expect(await seen.next() == "2 -[] +[] ~[0]")
    // As in Realm, the indexes refer to the list before the write. Table views expect this.
    try realm.write {
      holder.list.insert(SeenThing(value: ["id": 4]), at: 0)
      holder.list[2] = SeenThing(value: ["id": 5])
    }
    #expect(await seen.next() == "3 -[] +[0] ~[1]")
    try realm.write { holder.list.append(SeenThing(value: ["id": 6])) }
    #expect(await seen.next() == "4 -[] +[3] ~[]")
    try realm.write {
      holder.list.swapAt(0, 1)
      holder.list.swapAt(2, 3)
    }
    let moved = try #require(await seen.next())
    #expect(moved.hasSuffix("~[]") && !moved.contains("-[]") && !moved.contains("+[]"), "\(moved)")
    token.invalidate()
  }

  @Test func aReplacedElementOfOtherCollectionsIsADeletionAndAnInsertion() async throws {
    let (other, holder) = (SeenChanges(), holder)
    let token = observe(.set)
    let filtered = holder.list.where { $0.id > 0 }.observe(on: queue) { other.note($0) }
    #expect(await seen.next() == "initial 2")
    #expect(await other.next() == "initial 2")
    try realm.write {
      let first = try #require(holder.list.first)
      holder.set.remove(first)
      let thing = SeenThing(value: ["id": 0])
      realm.add(thing)
      holder.set.insert(thing)
      holder.list[0] = SeenThing(value: ["id": 3])
    }
    #expect(await seen.next()?.hasSuffix("~[]") == true)
    #expect(await other.next()?.hasSuffix("~[]") == true)
    for token in [token, filtered] { token.invalidate() }
  }

  @Test(arguments: Kind.allCases) func aWriteIsNotToldToWhomItLeavesOut(_ kind: Kind) async throws {
    let other = SeenChanges()
    let token = observe(kind)
    let second = realm.objects(SeenThing.self).observe(on: queue) { other.note($0) }
    #expect(await seen.next() == "initial 2")
    #expect(await other.next() == "initial 2")
    realm.beginWrite()
    realm.objects(SeenThing.self).first?.name = "left out"
    try realm.commitWrite(withoutNotifying: [token])
    #expect(await other.next() == "2 -[] +[] ~[0]")
    realm.beginWrite()
    realm.delete(realm.objects(SeenThing.self))
    try realm.commitWrite()
    #expect(await seen.next() == "0 -[0, 1] +[] ~[]")
    for token in [token, second] { token.invalidate() }
  }

  @Test func handlersAreCalledOnAnActor() async throws {
    let actor = SeeingActor()
    let token = await actor.observe(ThreadSafeReference(to: holder.list), realm)
    #expect(await actor.seen.next() == "initial 2")
    let outside = SeeingActor()
    let names = holder.set.observe(keyPaths: ["name"], on: outside) { actor, change in
      actor.assertIsolated()
      actor.seen.note(change)
    }
    let paths = realm.objects(SeenThing.self).observe(keyPaths: [\.name], on: outside) { actor, change in
      actor.seen.note(change)
    }
    for _ in 0..<2 { #expect(await outside.seen.next() == "initial 2") }
    try realm.write {
      realm.objects(SeenThing.self)[0].name = "a"
      realm.objects(SeenThing.self)[1].link = nil
    }
    for _ in 0..<2 { #expect(await outside.seen.next() == "2 -[] +[] ~[0]") }
    #expect(await actor.seen.next() == "2 -[] +[] ~[0, 1]")
    for token in [token, names, paths] { token?.invalidate() }
  }

  @Test(arguments: Kind.allCases) func whatIsWatchedIsToldAndNothingElse(_ kind: Kind) async throws {
    let names = observe(kind, ["name"])
    #expect(await seen.next() == "initial 2")
    try change { $0.link?.number = 2 }
    try change { $0.name = "changed" }
    #expect(await seen.next() == "2 -[] +[] ~[0]")
    names.invalidate()

    let numbers = observe(kind, ["link.number"])
    #expect(await seen.next() == "initial 2")
    try change { $0.name = "changed again" }
    try change { $0.link?.number = 3 }
    #expect(await seen.next() == "2 -[] +[] ~[0, 1]")
    numbers.invalidate()

    let links = observe(kind == .inverse ? .list : kind, ["link"])
    #expect(await seen.next() == "initial 2")
    try change { $0.link?.number = 4 }
    try change { $0.link = nil }
    #expect(await seen.next() == "2 -[] +[] ~[0]")
    links.invalidate()
  }

  @Test(arguments: Kind.allCases) func keyPathsNameWhatIsWatched(_ kind: Kind) async throws {
    let names = observe(kind, [\SeenThing.name])
    #expect(await seen.next() == "initial 2")
    try change { $0.link?.number = 2 }
    try change { $0.name = "changed" }
    #expect(await seen.next() == "2 -[] +[] ~[0]")
    names.invalidate()

    let numbers = observe(kind, [\SeenThing.link?.number])
    #expect(await seen.next() == "initial 2")
    try change { $0.name = "changed again" }
    try change { $0.link?.number = 3 }
    #expect(await seen.next() == "2 -[] +[] ~[0, 1]")
    numbers.invalidate()
  }

  @Test func whatIsHandedOutIsWhatIsObserved() async throws {
    let all = realm.objects(SeenThing.self)
    let (equal, continuation) = AsyncStream.makeStream(of: Bool.self)
    let realm = realm
    let token = all.observe(on: queue) { change in
      switch change {
      case .initial(let results), .update(let results, _, _, _):
        continuation.yield(results == realm.objects(SeenThing.self))
      case .error: continuation.yield(false)
      }
    }
    var iterator = equal.makeAsyncIterator()
    #expect(await iterator.next() == true)
    let places = observe(.results)
    #expect(await seen.next() == "initial 2")
    try realm.write { realm.create(SeenThing.self, value: ["id": 3]) }
    #expect(await seen.next() == "3 -[] +[2] ~[]")
    #expect(await iterator.next() == true)
    for token in [token, places] { token.invalidate() }
  }

  @Test func anObservationOfACancelledTaskLastsUntilItsTokenEnds() async throws {
    let (list, queue, seen) = (ThreadSafeReference(to: holder.list), queue, seen)
    let realm = realm
    let token = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return realm.resolve(list)?.observe(on: queue) { seen.note($0) }
    }.value
    #expect(await seen.next() == "initial 2")
    token?.invalidate()
  }

  @Test func whatNoStoreHasCannotBeObserved() async throws {
    let plain = SeenThings()
    let seen = seen
    let tokens = [
      plain.list.observe(on: queue) { seen.note($0) },
      plain.set.observe(keyPaths: ["name"], on: queue) { seen.note($0) },
      SeenTarget().things.observe(keyPaths: ["link.number"], on: queue) { seen.note($0) },
    ]
    for _ in tokens { #expect(await seen.next() == "objectNotFound") }
    for token in tokens { token.invalidate() }
  }
}
