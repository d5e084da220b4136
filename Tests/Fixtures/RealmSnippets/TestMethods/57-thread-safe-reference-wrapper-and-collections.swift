import FiefRealm
import XCTest

class Text: Object {
  @Persisted var text = ""
}

final class ReferenceTests: XCTestCase {
  func testWrapper() throws {
    let realm = try Realm()
    try realm.write { realm.create(Text.self, value: ["A"]) }
    @ThreadSafe var results = realm.objects(Text.self)
    @ThreadSafe var first = realm.objects(Text.self).first
    let reference = ThreadSafeReference(to: realm.objects(Text.self).where { $0.text == "A" })
    let done = expectation(description: "done")
    DispatchQueue(label: "other").async {
      let realm = try! Realm()
      XCTAssertEqual(realm.resolve(reference)?.count, 1)
      XCTAssertEqual(results?.count, 1)
      try! realm.write { first?.text = "B" }
      done.fulfill()
    }
    waitForExpectations(timeout: 2, handler: nil)
  }
}
