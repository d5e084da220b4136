import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Sections, projections and inverses have subscripts that are not optional, as those of Realm.
struct SectionSubscriptTests {
  private func withDogs(_ kind: StoreKind, _ body: (Store) throws -> Void) throws {
    try withMadeStore(kind) { store in
      try store.write {
        for id in 0..<4 { store.create(MadeDog.self, value: ["id": id, "name": ["Ann", "Bob"][id / 2]]) }
      }
      try body(store)
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsAndTheirObjectsArePlaces(_ kind: StoreKind) throws {
    try withDogs(kind) { store in
      let sections = store.objects(MadeDog.self).sorted(byKeyPath: "id").sectioned(by: \.name)
      let section = sections[1]
      #expect(section.key == "Bob" && section.count == 2 && section[0].id == 2 && section[1].id == 3)
      #expect(sections[IndexPath(indexes: [0, 1])].id == 1)
      let dog = section[0]
      try store.write { dog.friend = sections[0][0] }
      #expect(sections[0][0].friendOf[0].id == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func placesBeyondTheEndsAreReported(_ kind: StoreKind) throws {
    try withDogs(kind) { store in
      let sections = store.objects(MadeDog.self).sectioned(by: \.name)
      let events = withExpectedEvents {
        #expect(sections[2].isEmpty && sections[-1].count == 0 && sections[7].key == "")
        #expect(sections[0][2].realm == nil && sections[IndexPath(indexes: [0, 5])].id == 0)
        #expect(sections[IndexPath(indexes: [0])].id == 0 && sections[0][0].friendOf[3].id == 0)
      }
      #expect(
        events.allSatisfy {
          if case .indexOutOfBounds = $0 { true } else { false }
        } && events.count >= 7
      )
      let inWrite = withExpectedEvents {
        #expect(throws: FiefError.self) { try store.write { sections[9][0].name = "lost" } }
      }
      #expect(!inWrite.isEmpty && sections.count == 2)
    }
  }

  /// The core's subscript is optional, and this module's is not: what hides an inverse asks neither.
  @Test(arguments: StoreKind.allCases) func anInverseWithoutObjectsHasNoFirstOne(_ kind: StoreKind) throws {
    try withDogs(kind) { store in
      let dog = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 0))
      let friends = AnyRealmCollection(dog.friendOf)
      #expect(friends.first == nil && friends.last == nil && friends.isEmpty)
      try store.write { #expect(AnyRealmCollection(dog.friendOf).first == nil) }
      let events = withExpectedEvents { #expect(friends[0].realm == nil) }
      #expect(!events.isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aPlaceInTheInverseOfADeletedObjectIsReported(_ kind: StoreKind) throws {
    try withDogs(kind) { store in
      let dog = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 0))
      try store.write { store.delete(dog) }
      let events = withExpectedEvents { #expect(dog.friendOf[0].realm == nil) }
      #expect(!events.isEmpty)
    }
  }
}

extension ResultsSection {
  fileprivate var isEmpty: Bool { first { _ in true } == nil }
}
