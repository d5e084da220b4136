import FiefRealm
import XCTest

class Sentence: Object {
  @Persisted var text = ""
}

final class ValuePerformanceTests: XCTestCase {
  func testValueForKey() {
    let realm = try! Realm(configuration: .init(inMemoryIdentifier: name))
    try! realm.write {
      for number in 0..<1000 { realm.create(Sentence.self, value: ["\(number)"]) }
    }
    let objects = realm.objects(Sentence.self)
    measure {
      _ = objects.value(forKeyPath: "text") as! [String]
    }
  }
}
