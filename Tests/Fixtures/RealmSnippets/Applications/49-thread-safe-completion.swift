import FiefRealm
import Foundation

class Job: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var result: String?
}

final class JobRunner {
  func run(_ job: Job, completion: @escaping @Sendable (Job?) -> Void) {
    let reference = ThreadSafeReference(to: job)
    DispatchQueue.global(qos: .background).async {
      let realm = try! Realm()
      guard let job = realm.resolve(reference) else { return }
      try! realm.write { job.result = "done" }
      let id = job.id
      DispatchQueue.main.async {
        let realm = try! Realm()
        realm.refresh()
        completion(realm.object(ofType: Job.self, forPrimaryKey: id))
      }
    }
  }
}
