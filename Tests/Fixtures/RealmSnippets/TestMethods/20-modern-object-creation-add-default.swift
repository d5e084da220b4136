import FiefRealm
import XCTest

class Everything: Object {
  @Persisted var flag: Bool
  @Persisted var number: Int
  @Persisted var text: String
  @Persisted var moment: Date
  @Persisted var optional: Int?
  @Persisted var numbers: List<Int>
  @Persisted var id: ObjectId
}

final class CreationTests: XCTestCase {
  func testAddDefault() {
    let object = Everything()
    let realm = try! Realm(configuration: .init(inMemoryIdentifier: name))
    try! realm.write {
      realm.add(object)
    }
    XCTAssertEqual(object.flag, false)
    XCTAssertEqual(object.text, "")
    XCTAssertNil(object.optional)
    XCTAssertEqual(object.numbers.count, 0)
    XCTAssertNotEqual(object.id, ObjectId("000000000000000000000000"))
  }
}
