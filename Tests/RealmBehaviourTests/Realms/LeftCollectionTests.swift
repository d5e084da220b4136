import FiefRealm
import FiefTesting
import Testing

/// References to collections whose object nothing holds.
struct LeftCollectionTests {
  @Test(arguments: StoreKind.allCases) func aReferenceFindsTheCollection(_ kind: StoreKind) throws {
    try withPersons(kind) { realm in
      func friends() throws -> List<ViewedPerson> {
        try #require(realm.objects(ViewedPerson.self).filter("lastName == 'Snow'").first).friends
      }
      let reference = ThreadSafeReference(to: try friends())
      let found = try #require(try realm.fetchObject(reference))
      #expect(found.map(\.firstName) == ["Bob", "Cid"])
      try realm.write { realm.delete(realm.objects(ViewedPerson.self).filter("lastName == 'Snow'")) }
      #expect(try realm.fetchObject(reference) == nil)
    }
  }
}
