import FiefRealm
import XCTest

class StoredPlace: EmbeddedObject {
  @Persisted var value = 0
}

struct Place: CustomPersistable, Equatable {
  typealias PersistedType = StoredPlace
  var value = 0
  init(value: Int) { self.value = value }
  init(persistedValue: StoredPlace) { value = persistedValue.value }
  var persistableValue: StoredPlace { StoredPlace(value: [value]) }
}

class Visit: Object {
  @Persisted var place: Place?
  @Persisted var previous: Visit?
}

final class MappedQueryTests: XCTestCase {
  func testEqual() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let visits = realm.objects(Visit.self)
    XCTAssertEqual(visits.where { $0.place.persistableValue.value == 2 }.count, 0)
    XCTAssertEqual(visits.where { $0.place == Place(value: 3) }.count, 0)
    XCTAssertEqual(visits.where { $0.previous.place.persistableValue.value == 2 }.count, 0)
  }
}
