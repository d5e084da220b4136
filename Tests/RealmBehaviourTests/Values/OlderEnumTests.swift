import FiefRealm
import FiefTesting
import Testing

/// Enumerations with the protocol of older code.
@Suite(.timeLimit(.minutes(20)))
struct OlderEnumTests {
  enum Status: Int, RealmEnum {
    case waiting = 1
    case done = 2
  }

  final class StatusTask: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var status = Status.waiting
    @Persisted var former: List<Status>
  }

  @Test(arguments: StoreKind.allCases) func areStored(_ kind: StoreKind) throws {
    try withFreshStores(kind) {
      let realm = TestRepository(objectTypes: [StatusTask.self]).store()
      try realm.write {
        let task = StatusTask()
        task.status = .done
        task.former.append(.waiting)
        realm.add(task)
      }
      let task = try #require(realm.objects(StatusTask.self).where { $0.status == .done }.first)
      #expect(task.status == .done && Array(task.former) == [.waiting])
    }
  }
}
