import FiefRealm
import XCTest

class Child: Object {
  @Persisted var number = 0
}

class Parent: Object {
  @Persisted var number = 0
  @Persisted var flag = false
  @Persisted var child: Child?
}

final class DistinctTests: XCTestCase {
  func testDistinct() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    try realm.write {
      realm.add([1, 1, 2].map { Parent(value: ["number": $0, "child": ["number": $0]] as [String: Any]) })
    }
    let parents = realm.objects(Parent.self)
    XCTAssertEqual(parents.distinct(by: ["number"]).count, 2)
    XCTAssertEqual(parents.distinct(by: [\.number, \.flag]).count, 2)
    XCTAssertEqual(parents.distinct(by: ["child.number"]).map(\.number), [1, 2])
    XCTAssertEqual(parents.distinct(by: [\.child?.number]).value(forKey: "number") as! [Int], [1, 2])
  }
}
