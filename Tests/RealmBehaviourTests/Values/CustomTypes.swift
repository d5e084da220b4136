import FiefRealm
import FiefTesting
import Foundation
import Testing

class StoredPlace: EmbeddedObject {
  @Persisted var city = ""
  @Persisted var country = ""
  @Persisted var tags: List<String>
  @Persisted var inner: StoredPlaceDetail?
}

class StoredPlaceDetail: EmbeddedObject {
  @Persisted var number = 0
}

/// A value that is stored as an embedded object with a list and an embedded object.
struct Place: CustomPersistable, Hashable {
  var city = "?"
  var tags: [String] = []
  var number: Int?
  init(_ city: String, tags: [String] = [], number: Int? = nil) {
    self.city = city
    self.tags = tags
    self.number = number
  }
  init(persistedValue: StoredPlace) {
    city = persistedValue.city
    tags = Array(persistedValue.tags)
    number = persistedValue.inner?.number
  }
  var persistableValue: StoredPlace {
    StoredPlace(
      value: ["city": city, "tags": tags, "inner": number.map { ["number": $0] } as Any] as [String: Any]
    )
  }
}

/// A value that cannot be made from each stored object.
struct NamedPlace: FailableCustomPersistable, Hashable {
  var city: String
  init?(persistedValue: StoredPlaceDetail) {
    if persistedValue.number == 0 { return nil }
    city = "\(persistedValue.number)"
  }
  init?(number: Int) { self.init(persistedValue: StoredPlaceDetail(value: [number])) }
  var persistableValue: StoredPlaceDetail { StoredPlaceDetail(value: ["number": Int(city) ?? 0]) }
}

struct OwnId: CustomPersistable, Hashable {
  var id: UUID
  init(persistedValue: UUID) { id = persistedValue }
  var persistableValue: UUID { id }
}

class PlaceOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var place: Place
  @Persisted var given = Place("given")
  @Persisted var optional: Place?
  @Persisted var list: List<Place>
  @Persisted var map: Map<String, Place>
  @Persisted var optionalMap: Map<String, Place?>
  @Persisted var named: NamedPlace?
  @Persisted var ownId: OwnId
}
