import Fief
import FiefTesting
import Foundation
import XCTest

/// A value with a name that is no optional.
struct NamedRepository: DatabaseConfigurable {
  let schemaName = "named"
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaVersion: UInt64? = 1
  let objectTypes: [Object.Type]? = [Token.self]
  let embeddedObjectTypes: [EmbeddedObject.Type]? = nil
}

/// A class with a name that is no optional.
class NamedClass: DatabaseConfigurable {
  var schemaName: String { "class" }
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [Token.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
}

class OtherNamedClass: NamedClass {
  override var schemaName: String { "other" }
}

/// A repository without a name, which is an error when it is opened.
struct NamelessRepository: DatabaseConfigurable {
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaVersion: UInt64? = 1
  let objectTypes: [Object.Type]? = [Token.self]
  let embeddedObjectTypes: [EmbeddedObject.Type]? = nil
}

final class StoreNameTests: StoreTestCase {
  private func name(_ repository: any DatabaseConfigurable) -> String? { repository.schemaName }
  private func generic<Repository: DatabaseConfigurable>(_ repository: Repository) -> String {
    repository.schemaName ?? "none"
  }

  func testNamesOfEitherType() {
    XCTAssertEqual(name(NamedRepository()), "named")
    XCTAssertEqual(name(NamedClass()), "class")
    XCTAssertEqual(name(OtherNamedClass()), "other")
    XCTAssertEqual(name(PetRepository()), "Pets")
    XCTAssertEqual(name(OldPetRepository()), "Old Pets")
    XCTAssertEqual(generic(NamedRepository()), "named")
    XCTAssertEqual(generic(PetRepository()), "Pets")
    XCTAssertTrue(PetRepository().schemaName == "Pets")
    XCTAssertEqual(NamedRepository().schemaName.count, 5)
    XCTAssertEqual(NamedRepository().storeName, "named")
    XCTAssertEqual(OtherNamedClass().storeName, "other")
  }

  func testTheirStores() throws {
    try NamedRepository().saveAndWait(entity: Token(value: ["value": "a"]))
    try NamedClass().saveAndWait(entities: [Token(), Token()])
    XCTAssertEqual(try NamedRepository().count(Token.self), 1)
    XCTAssertEqual(try NamedClass().count(Token.self), 2)
    XCTAssertEqual(try OtherNamedClass().count(Token.self), 0)
    XCTAssertThrowsError(try NamelessRepository().open()) {
      XCTAssertEqual(($0 as? FiefError)?.code, .invalidStoreName)
    }
  }

  /// A value is used in several tasks without being declared to be `Sendable`.
  func testValuesCrossIsolation() async throws {
    let repository = NamedRepository()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          try await repository.write { tx in try tx.create(Token.self, value: ["value": "\(number)"]) }
        }
      }
      try await group.waitForAll()
    }
    let count = try await Task.detached { try repository.count(Token.self) }.value
    XCTAssertEqual(count, 4)
  }
}
