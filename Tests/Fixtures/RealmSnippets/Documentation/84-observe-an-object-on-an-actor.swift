import FiefRealm
import Foundation

class Todo: Object {
  @Persisted var status = ""
}

actor Watcher {}

@MainActor
func example(todo: Todo) async throws {
  let watcher = Watcher()
  let token = await todo.observe(keyPaths: ["status"], on: watcher) { actor, change in
    switch change {
    case .change(let object, let properties):
      print(actor, object.status, properties.map { "\($0.name): \($0.newValue!)" })
    case .error(let error): print(error)
    case .deleted: print("deleted")
    }
  }
  let realm = try await Realm()
  try await realm.asyncWrite { todo.status = "done" }
  token.invalidate()
}
