import FiefRealm
import Foundation

class Project: Object {
  @Persisted var name = ""
  @Persisted var jobs: List<Job>
}

class Job: Object {
  @Persisted var done = false
  @Persisted var priority = 0
}

func example(realm: Realm) {
  let projects = realm.objects(Project.self)
  print(projects.filter("jobs.@avg.priority > 5").count, projects.filter("jobs.@max.priority < 9").count)
  print(projects.filter("jobs.@count > 2").count, projects.filter("jobs.@min.priority > 1").count)
  print(projects.filter("NONE jobs.done == TRUE").count, projects.filter("ALL jobs.done == TRUE").count)
  print(projects.filter("ANY jobs.priority > 5").count)
}
