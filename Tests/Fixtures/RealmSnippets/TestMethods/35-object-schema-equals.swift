import FiefRealm
import XCTest

class One: Object {
  @Persisted var value = 0
}

class Two: Object {
  @Persisted var value = 0
}

final class ObjectSchemaTests: XCTestCase {
  func testEquals() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name, objectTypes: [One.self, Two.self]))
    let schema = One().objectSchema
    XCTAssert(schema == realm.schema["One"]!)
    XCTAssert(schema != realm.schema["Two"]!)
    XCTAssertEqual(schema, realm.schema["One"])
  }
}
