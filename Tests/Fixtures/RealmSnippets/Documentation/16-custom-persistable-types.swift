import FiefRealm
import Foundation

struct Coordinate: CustomPersistable {
  typealias PersistedType = StoredCoordinate
  var latitude: Double
  var longitude: Double

  init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
  init(persistedValue: StoredCoordinate) {
    self.init(latitude: persistedValue.latitude, longitude: persistedValue.longitude)
  }
  var persistableValue: StoredCoordinate {
    StoredCoordinate(value: [latitude, longitude])
  }
}

class StoredCoordinate: EmbeddedObject {
  @Persisted var latitude: Double
  @Persisted var longitude: Double
}

class Lighthouse: Object {
  @Persisted var place: Coordinate?
}
