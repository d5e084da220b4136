import FiefRealm
import Foundation

class Project: Object {
  @Persisted var jobs: List<Job>
}

class Job: Object {
  @Persisted var done = false
  @Persisted var assignee: String?
}

func example(realm: Realm) {
  let projects = realm.objects(Project.self)
  let some = projects.where { ($0.jobs.done == false && $0.jobs.assignee == "Alex").count > 0 }
  let several = projects.where { ($0.jobs.done == false).count > 1 && ($0.jobs.assignee == nil).count == 0 }
  print(some.count, several.count)
}
