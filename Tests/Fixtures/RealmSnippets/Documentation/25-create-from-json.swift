import FiefRealm
import Foundation

class City: Object {
  @Persisted var name = ""
  @Persisted var population = 0
  @Persisted var twins: List<City>
}

func example() {
  let data = Data(#"{"name": "Ulm", "population": 126000, "twins": [{"name": "Jena"}]}"#.utf8)
  let realm = try! Realm()
  try! realm.write {
    let json = try! JSONSerialization.jsonObject(with: data, options: [])
    realm.create(City.self, value: json)
  }
}
