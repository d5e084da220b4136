import FiefRealm
import Foundation

class Place: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var visits = 0
}

final class PlaceService {
  private lazy var mainRealm: Realm = try! Realm(queue: .main)
  private let work = DispatchQueue(label: "places")

  func recordVisit(_ place: Place) {
    let id = place.id
    work.async {
      let realm = try! Realm()
      guard let place = realm.object(ofType: Place.self, forPrimaryKey: id) else { return }
      try! realm.write { place.visits += 1 }
    }
  }

  func all() -> Results<Place> {
    mainRealm.refresh()
    return mainRealm.objects(Place.self).sorted(byKeyPath: "visits", ascending: false)
  }
}
