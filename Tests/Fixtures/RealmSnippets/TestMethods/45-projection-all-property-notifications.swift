import FiefRealm
import XCTest

class Source: Object {
  @Persisted var flag = false
  @Persisted var number = 0
  @Persisted var list: List<Int>
}

class View: Projection<Source> {
  @Projected(\Source.flag) var flag
  @Projected(\Source.number) var number
  @Projected(\Source.list) var list
}

final class ProjectionNotificationTests: XCTestCase {
  func check<T: Equatable>(_ view: View, _ path: PartialKeyPath<View>, _ name: String, _ new: T) {
    let token = view.observe(keyPaths: [path]) { (change: ObjectChange<View>) in
      guard case .change(_, let properties) = change else { return XCTFail("expected .change") }
      XCTAssertEqual(properties[0].name, name)
      XCTAssertEqual(properties[0].newValue as? T, new)
    }
    token.invalidate()
  }

  func testNotifications() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let source = try realm.write { realm.create(Source.self) }
    check(View(projecting: source), \.flag, "flag", true)
    check(realm.objects(View.self).first!, \.number, "number", 2)
  }
}
