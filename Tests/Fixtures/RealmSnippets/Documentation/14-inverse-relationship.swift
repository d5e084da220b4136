import FiefRealm
import Foundation

class Owner: Object {
  @Persisted var name: String
  @Persisted var bicycles: List<Bicycle>
}

class Bicycle: Object {
  @Persisted var frame: String
  @Persisted(originProperty: "bicycles") var owners: LinkingObjects<Owner>
}

func ownerName(of bicycle: Bicycle) -> String {
  bicycle.owners.first?.name ?? "unknown"
}
