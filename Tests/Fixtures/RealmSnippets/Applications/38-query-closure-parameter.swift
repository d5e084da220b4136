import FiefRealm
import Foundation

class Plant: Object {
  @Persisted var name = ""
  @Persisted var height = 0
}

struct PlantStore {
  let realm: Realm

  func plants(_ query: ((Query<Plant>) -> Query<Bool>)? = nil) -> Results<Plant> {
    guard let query else { return realm.objects(Plant.self) }
    return realm.objects(Plant.self).where(query)
  }

  func tall() -> [Plant] { Array(plants { $0.height > 200 && $0.name != "" }) }
}
