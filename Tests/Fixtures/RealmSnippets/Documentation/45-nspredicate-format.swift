import FiefRealm
import Foundation

class Task: Object {
  @Persisted var name = ""
  @Persisted var priority = 0
}

func example(realm: Realm) {
  let predicate = NSPredicate(format: "priority > %d AND name BEGINSWITH %@", 5, "Call")
  let calls = realm.objects(Task.self).filter(predicate)
  let others = realm.objects(Task.self).filter(NSPredicate(format: "priority BETWEEN {1, 3}"))
  print(calls.count, others.count)
}
