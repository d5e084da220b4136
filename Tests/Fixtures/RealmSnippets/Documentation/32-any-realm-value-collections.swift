import FiefRealm
import Foundation

class Parcel: Object {
  @Persisted var content: AnyRealmValue
}

func example(realm: Realm) throws {
  let parcel = Parcel()
  parcel.content = AnyRealmValue.fromDictionary(["size": .int(3), "tags": .fromArray([.string("a")])])
  try realm.write {
    realm.add(parcel)
    parcel.content.dictionaryValue?["size"] = .int(4)
    parcel.content.dictionaryValue?["tags"]?.listValue?.append(.string("b"))
  }
  let large = realm.objects(Parcel.self).where { $0.content["size"] > 3 }
  print(large.count)
}
