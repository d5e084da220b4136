import FiefRealm
import XCTest

final class SetConfigurationTests: XCTestCase {
  func testSet() {
    let url = Realm.Configuration.defaultConfiguration.fileURL
    Realm.Configuration.defaultConfiguration = Realm.Configuration(fileURL: URL(fileURLWithPath: "/dev/null"))
    XCTAssertEqual(Realm.Configuration.defaultConfiguration.fileURL, URL(fileURLWithPath: "/dev/null"))
    Realm.Configuration.defaultConfiguration.fileURL = url
    var other = Realm.Configuration()
    other.readOnly = true
    other.maximumNumberOfActiveVersions = 8
    XCTAssertTrue(other.description.contains("readOnly"))
  }
}
