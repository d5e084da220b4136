import FiefRealm
import Foundation

class Station: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var line = ""
}

func stations(_ ids: [Int], in realm: Realm) -> [Station] {
  let found = realm.objects(Station.self).filter("id IN %@", ids)
  let order = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
  return found.sorted { order[$0.id, default: 0] < order[$1.id, default: 0] }
}

func remove(_ ids: Set<Int>, in realm: Realm) throws {
  try realm.write {
    realm.delete(realm.objects(Station.self).where { $0.id.in(ids) })
    realm.delete(ids.compactMap { realm.object(ofType: Station.self, forPrimaryKey: $0) })
  }
}
