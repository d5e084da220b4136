import FiefRealm
import FiefTesting
import Foundation
import Testing

private protocol OlderCalls {
  func invalidate(_ realm: Realm)
  func limitVersions(_ configuration: inout Realm.Configuration) -> UInt?
}

/// Calls with a warning of the compiler.
private struct DeprecatedCalls: OlderCalls {
  @available(*, deprecated) func invalidate(_ realm: Realm) { realm.invalidate() }

  @available(*, deprecated) func limitVersions(_ configuration: inout Realm.Configuration) -> UInt? {
    configuration.maximumNumberOfActiveVersions = 8
    return configuration.maximumNumberOfActiveVersions
  }
}

/// Calls of Realm that have no effect, as the compiler's warning says.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct OlderCallsTests {
  private let calls: any OlderCalls = DeprecatedCalls()

  @Test func objectsStayUsableAfterInvalidate() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [RealmDog.self, RealmCollar.self]
      )
    )
    defer { realm.close() }
    try realm.write { realm.create(RealmDog.self, value: ["name": "Rex"]) }
    let dog = try #require(realm.objects(RealmDog.self).first)
    calls.invalidate(realm)
    #expect(!dog.isInvalidated && dog.name == "Rex")
    try realm.write { dog.age = 3 }
    #expect(realm.objects(RealmDog.self).first?.age == 3)
  }

  @Test func versionsAreNotLimited() throws {
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    #expect(calls.limitVersions(&configuration) == nil)
  }
}
