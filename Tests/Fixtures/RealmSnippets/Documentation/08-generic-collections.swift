import FiefRealm
import Foundation

class Boat: Object {
  @Persisted var name: String
}

func describe<C: RealmCollection>(_ collection: C) -> String where C.Element == Boat {
  collection.map { $0.name }.joined(separator: ", ")
}

func report(_ boats: Results<Boat>, _ fleet: List<Boat>, _ hired: MutableSet<Boat>) {
  print(describe(boats), describe(fleet), describe(hired))
}
