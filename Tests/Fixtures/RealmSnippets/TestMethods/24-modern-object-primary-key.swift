import FiefRealm
import XCTest

class Keyed: Object {
  @Persisted(primaryKey: true) var pk: String
  @Persisted var value = 0
}

final class PrimaryKeyTests: XCTestCase {
  func testKey() {
    let realm = try! Realm(configuration: .init(inMemoryIdentifier: name))
    realm.beginWrite()
    let object = Keyed()
    object.pk = "a"
    object["pk"] = "b"
    object.setValue("c", forKey: "pk")
    realm.add(object)
    XCTAssertEqual(object.pk, "c")
    XCTAssertEqual(Keyed.primaryKey(), "pk")
    realm.cancelWrite()
    XCTAssertNil(realm.object(ofType: Keyed.self, forPrimaryKey: "c"))
  }
}
