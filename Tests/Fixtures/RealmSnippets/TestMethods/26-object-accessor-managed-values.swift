import FiefRealm
import XCTest

class Values: Object {
  @Persisted var int8: Int8
  @Persisted var float: Float
  @Persisted var date: Date
  @Persisted var any: AnyRealmValue
  @Persisted var list: List<Int>
}

final class ManagedAccessorTests: XCTestCase {
  func testSubscript() {
    let realm = try! Realm(configuration: .init(inMemoryIdentifier: name))
    realm.beginWrite()
    let object = realm.create(Values.self)
    object["int8"] = 5
    XCTAssertEqual(object["int8"] as! Int, 5)
    object["date"] = Date(timeIntervalSince1970: 1)
    object["any"] = "text"
    XCTAssertEqual(object.any, .string("text"))
    object["any"] = AnyRealmValue.none
    object["list"] = [1, 2, 3]
    XCTAssertEqual(object.dynamicList("list").count, 3)
    XCTAssertEqual((object["list"] as! List<Int>).sum(), 6)
    realm.cancelWrite()
  }
}
