import FiefRealm
import Foundation

class Job: Object {
  @Persisted var minutes = 0
  @Persisted var assignee: String?
}

func example(realm: Realm) {
  let jobs = realm.objects(Job.self)
  print("soon:", jobs.filter("minutes > 5 AND minutes < 20").count)
  print("listed:", jobs.filter("assignee IN { 'Ali', 'Jamie' }").count)
  print("given:", jobs.filter("assignee IN %@", ["Ali", "Jamie"]).count)
  print("between:", jobs.filter("minutes BETWEEN {30, 60}").count)
  print("not:", jobs.filter("minutes != 5").count)
}
