import FiefRealm
import Foundation

class Job: Object {
  @Persisted var name = ""
  @Persisted var progress = 0
  @Persisted var assignee: String?
}

func example(realm: Realm) {
  let jobs = realm.objects(Job.self)
  print(jobs.filter("progress > 90 AND assignee == 'Ali'").count)
  print(jobs.filter("%K > %@", "progress", 90).count)
  print(jobs.filter("assignee == %@ OR assignee == nil", "Ali").count)
  print(jobs.filter("assignee == %@", NSNull()).count)
  print(jobs.filter("progress >= %d", 30).count)
}
