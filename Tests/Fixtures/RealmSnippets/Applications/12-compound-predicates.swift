import FiefRealm
import Foundation

class House: Object {
  @Persisted var rooms = 0
  @Persisted var city = ""
}

func search(_ realm: Realm, city: String?, rooms: Int?) -> Results<House> {
  var predicates: [NSPredicate] = []
  if let city { predicates.append(NSPredicate(format: "city ==[c] %@", city)) }
  if let rooms { predicates.append(NSPredicate(format: "rooms >= %d", rooms)) }
  let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
  return realm.objects(House.self).filter(predicate)
}
