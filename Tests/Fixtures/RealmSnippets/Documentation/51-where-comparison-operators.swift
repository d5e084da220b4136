import FiefRealm
import Foundation

class Job: Object {
  @Persisted var priority = 0
  @Persisted var name = ""
  @Persisted var due: Date?
}

func example(realm: Realm) {
  let jobs = realm.objects(Job.self)
  print(jobs.where { $0.priority > 5 }.count, jobs.where { $0.priority != 2 }.count)
  print(jobs.where { $0.priority.contains(3...5) }.count, jobs.where { $0.priority.contains(3..<5) }.count)
  print(jobs.where { $0.name.in(["Call", "Mail"]) }.count)
  print(jobs.where { $0.due == nil || $0.due < Date() }.count)
}
