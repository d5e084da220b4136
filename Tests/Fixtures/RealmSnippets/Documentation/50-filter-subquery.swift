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
  let format = "SUBQUERY(jobs, $job, $job.done == %@ AND $job.assignee == %@).@count > 0"
  print(realm.objects(Project.self).filter(format, false, "Alex").count)
}
