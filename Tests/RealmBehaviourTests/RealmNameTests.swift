import FiefRealm
import Testing

struct RealmNameTests {
  @Test func aRealmIsAStore() {
    #expect(Realm.self == Store.self)
  }
}
