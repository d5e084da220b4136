import FiefRealm
import XCTest

class Value: Object {
  @Persisted var number = 0
}

final class RealmTests: XCTestCase {
  func testObjects() throws {
    try Realm().write {
      try Realm().create(Value.self, value: [100])
      try Realm().create(Value.self, value: [200])
    }
    XCTAssertEqual(2, try Realm().objects(Value.self).count)
    XCTAssertEqual(try Realm().dynamicObjects("Value").first!["number"] as! Int, 100)
    try Realm().delete(try Realm().objects(Value.self))
  }

  func testLogger() throws {
    nonisolated(unsafe) var log = ""
    let logger = Logger(level: .off) { level, message in log += "\(level) \(message)" }
    Logger.shared = logger
    logger.level = .all
    XCTAssertEqual(Logger.shared.level, .all)
  }
}
