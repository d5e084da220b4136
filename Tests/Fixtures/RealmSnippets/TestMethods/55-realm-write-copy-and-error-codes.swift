import FiefRealm
import XCTest

class Value: Object {
  @Persisted var number = 0
}

final class CopyTests: XCTestCase {
  func testCopy() throws {
    var original = Realm.Configuration()
    original.fileURL = FileManager.default.temporaryDirectory.appendingPathComponent("original.realm")
    let realm = try Realm(configuration: original)
    try realm.write { realm.add(Value()) }
    var destination = Realm.Configuration()
    destination.fileURL = original.fileURL!.deletingLastPathComponent().appendingPathComponent("copy.realm")
    try realm.writeCopy(configuration: destination)
    XCTAssertEqual(try Realm(configuration: destination).objects(Value.self).count, 1)
    XCTAssertThrowsError(try realm.writeCopy(configuration: destination)) { error in
      XCTAssertEqual((error as? Realm.Error)?.code, .fileExists)
    }
  }
}
