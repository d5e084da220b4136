import FiefRealm
import Foundation

class School: Object {
  @Persisted var name: String
  @Persisted var pupils: List<Pupil>
  @Persisted var clubs: MutableSet<Club>
  @Persisted var byDesk: Map<String, Pupil?>
}

class Pupil: Object {
  @Persisted var name: String
}

class Club: Object {
  @Persisted var title: String
}
