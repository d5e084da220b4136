import FiefRealm
import Foundation

class Crate: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var weight = 0
}

func example(realm: Realm) throws {
  let id = try ObjectId(string: "11223344556677889900aabb")
  let byText = realm.objects(Crate.self).filter("_id == %@", id)
  let byClosure = realm.objects(Crate.self).where { $0._id == id }
  let stamp: Date = id.timestamp
  print(byText.first?.weight ?? 0, byClosure.count, stamp, id.stringValue)
}
