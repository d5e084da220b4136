import FiefRealm
import XCTest

final class ConfigurationTests: XCTestCase {
  func testDefault() {
    let configuration = Realm.Configuration.defaultConfiguration
    XCTAssertEqual(configuration.fileURL, try! Realm().configuration.fileURL)
    XCTAssertNil(configuration.inMemoryIdentifier)
    XCTAssertNil(configuration.encryptionKey)
    XCTAssertFalse(configuration.readOnly)
    XCTAssertEqual(configuration.schemaVersion, 0)
    XCTAssert(configuration.migrationBlock == nil)
    XCTAssertNil(configuration.objectTypes)
    XCTAssertFalse(configuration.deleteRealmIfMigrationNeeded)
    XCTAssertNil(configuration.maximumNumberOfActiveVersions)
  }
}
