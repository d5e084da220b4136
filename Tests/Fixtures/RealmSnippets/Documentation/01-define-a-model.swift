import FiefRealm
import Foundation

class Garden: Object {
  @Persisted var name: String
  @Persisted var area: Double
  @Persisted var plantedOn: Date?
  @Persisted var plants: List<Plant>
}

class Plant: Object {
  @Persisted var species = ""
}
