import FiefRealm
import FiefTesting
import Testing

/// Generic code over collections, as Realm's documentation shows it.
@Suite(.timeLimit(.minutes(20)))
struct GenericCollectionTests {
  private final class Names {
    let persons: AnyRealmCollection<ViewedPerson>

    init<C: RealmCollection>(_ persons: C) where C.ElementType == ViewedPerson, C.Element == ViewedPerson {
      self.persons = AnyRealmCollection(persons)
    }

    var all: [String] { persons.map(\.firstName).sorted() }
  }

  private func summary<C: RealmCollection>(_ collection: C) -> String {
    "\(collection.count) \(collection.isEmpty) \(collection.first == nil) \(collection.isInvalidated)"
  }

  @Test(arguments: StoreKind.allCases) func everyCollectionIsOne(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      let persons = realm.objects(ViewedPerson.self)
      let ann = try #require(persons.filter("age == 30").first)
      #expect(summary(persons) == "3 false false false" && summary(ann.friends) == "2 false false false")
      #expect(summary(ann.kin) == "1 false false false" && summary(ann.reviews) == "2 false false false")
      #expect(summary(AnyRealmCollection(ann.friends)) == "2 false false false")
      #expect(summary(persons.filter("age == 99")) == "0 true true false")
      #expect(Names(persons).all == ["Ann", "Bob", "Cid"] && Names(ann.friends).all == ["Bob", "Cid"])
      #expect(Names(ann.kin).all == ["Bob"] && Names(AnyRealmCollection(persons)).all.count == 3)
      #expect(ann.friends.realm == realm && persons.realm == realm)
    }
  }
}
