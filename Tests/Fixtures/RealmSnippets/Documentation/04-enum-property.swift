import FiefRealm
import Foundation

enum Priority: String, PersistableEnum {
  case low, normal, urgent
}

class Errand: Object {
  @Persisted var name: String
  @Persisted var priority = Priority.normal
  @Persisted var former: Priority?
  @Persisted var history: List<Priority>
}

func urgentErrands(in realm: Realm) -> Results<Errand> {
  realm.objects(Errand.self).where { $0.priority == .urgent }
}
