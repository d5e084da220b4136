import FiefRealm
import Foundation

class Todo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
}

actor Background {
  func delete(_ reference: ThreadSafeReference<Todo>) throws {
    let realm = try Realm()
    try realm.write {
      if let todo = realm.resolve(reference) {
        realm.delete(todo)
      }
    }
  }
}

@MainActor
func example() async throws {
  let realm = try await Realm()
  let todo = try await realm.asyncWrite { realm.create(Todo.self, value: ["name": "x"]) }
  let reference = ThreadSafeReference(to: todo)
  try await Background().delete(reference)
}
