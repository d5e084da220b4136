import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Placeholders for objects and sections that the store does not have.
struct PlaceholderTests {
  private func withDogs(_ kind: StoreKind, _ body: (Store) throws -> Void) throws {
    try withMadeStore(kind) { store in
      try store.write { for id in 1...4 { store.create(MadeDog.self, value: ["id": id, "name": ""]) } }
      try body(store)
    }
  }

  @Test("results that cannot be read fail the write that uses their objects", arguments: StoreKind.allCases)
  func failingResults(_ kind: StoreKind) throws {
    try withDogs(kind) { store in
      let events = withExpectedEvents {
        let error = #expect(throws: FiefError.self) {
          try store.write {
            _ = store.objects(MadeDog.self).filter("nmae = 'Rex'")[0]
            store.create(MadeDog.self, value: ["id": 9])
          }
        }
        #expect(error?.code == .unknownProperty)
      }
      #expect(!events.isEmpty && store.objects(MadeDog.self).count == 4)
    }
  }

  @Test("a section beyond the end is a placeholder", arguments: StoreKind.allCases)
  func sections(_ kind: StoreKind) throws {
    try withDogs(kind) { store in
      let sections = store.objects(MadeDog.self).sectioned(by: \.name)
      let events = withExpectedEvents {
        let placeholder = sections[7]
        #expect(placeholder.key == sections[0].key && placeholder != sections[0] && placeholder.count == 0)
        #expect(placeholder.freeze() == nil)
      }
      #expect(events.count == 1)
      guard case .indexOutOfBounds(_, _, let index, let count)? = events.first else {
        Issue.record("another event: \(events)")
        return
      }
      #expect(index == 7 && count == 1)
      let inPath = withExpectedEvents { #expect(sections[IndexPath(indexes: [5, 0])].realm == nil) }
      #expect(inPath.count == 1)
    }
  }

  @MainActor @Test("a section beyond the end cannot be observed") func observedSection() async throws {
    let fixture = try StoreFixture(
      TestRepository("made", objectTypes: [MadeDog.self, MadeToy.self]),
      .inMemory
    )
    let store = fixture.store()
    try store.write { _ = store.create(MadeDog.self, value: ["id": 1, "name": ""]) }
    var codes: [FiefError.Code?] = []
    var section: ResultsSection<String, MadeDog>?
    withExpectedEvents { section = store.objects(MadeDog.self).sectioned(by: \.name)[3] }
    let token = section?.observe { change in
      if case .error(let error) = change {
        codes.append((error as? FiefError)?.code)
      } else {
        codes.append(nil)
      }
    }
    while codes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    #expect(codes == [.objectNotFound])
    token?.invalidate()
    fixture.end()
  }

  @Test("inverses show the objects that a prefetch has found", arguments: StoreKind.allCases)
  func prefetchedInverse(_ kind: StoreKind) throws {
    try withDogs(kind) { store in
      try store.write {
        let dogs = store.objects(MadeDog.self)
        dogs[1].friend = dogs[0]
      }
      let dog = try #require(store.objects(MadeDog.self).prefetching("friendOf").all().first)
      try store.write { store.objects(MadeDog.self)[2].friend = store.objects(MadeDog.self)[0] }
      #expect(dog.friendOf.count == 1 && dog.friendOf[0].id == 2)
      let hidden = AnyRealmCollection(dog.friendOf)
      #expect(hidden.count == 1 && hidden.first?.id == 2)
      withExpectedEvents { #expect(dog.friendOf[1].realm == nil) }
    }
  }

  @Test("optional texts are sorted by their bytes") func optionalTexts() {
    let list = List<String?>(["cafe\u{301}x", nil, "caf\u{E9}", "cafe"])
    #expect(list.sorted() == [nil, "cafe", "cafe\u{301}x", "caf\u{E9}"])
    #expect(list.sorted(ascending: false) == ["caf\u{E9}", "cafe\u{301}x", "cafe", nil])
  }
}

/// Inverses in generic code.
@MainActor @Suite(.freshStores, .timeLimit(.minutes(20))) struct ObservedInverseTests {
  private func follow<Dogs: RealmCollection>(
    _ dogs: Dogs,
    _ show: @escaping (Dogs) -> Void
  ) -> NotificationToken where Dogs.Element: Object {
    dogs.observe { change in
      switch change {
      case .initial(let dogs), .update(let dogs, _, _, _): show(dogs)
      case .error(let error): Issue.record(error)
      }
    }
  }

  @Test("the handler gets the inverse of the change, and the observation does not hold its object")
  func generic() async throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [MadeDog.self, MadeToy.self, MadeTag.self]
      )
    )
    try realm.write {
      let dog = realm.create(MadeDog.self, value: ["id": 1])
      realm.create(MadeDog.self, value: ["id": 2, "friend": dog])
    }
    var dog = realm.object(ofType: MadeDog.self, forPrimaryKey: 1)
    let held = Held(dog)
    var seen: [[Int]] = []
    let friends = try #require(dog?.friendOf)
    let token = follow(friends) { (dogs: LinkingObjects<MadeDog>) in
      seen.append(dogs.map(\.id))
      #expect(!dogs.isInvalidated && dogs.realm != nil)
    }
    while seen.count < 1 { try await Task.sleep(for: .milliseconds(1)) }
    _ = consume friends
    dog = nil
    #expect(held.dog == nil)
    try realm.write {
      let first = realm.object(ofType: MadeDog.self, forPrimaryKey: 1)
      realm.create(MadeDog.self, value: ["id": 3]).friend = first
    }
    while seen.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(seen == [[2], [2, 3]])
    token.invalidate()
    realm.close()
  }
}

private final class Held {
  weak var dog: MadeDog?

  init(_ dog: MadeDog?) { self.dog = dog }
}
