import FiefRealm
import Foundation

class Todo: Object {
  @Persisted var name: String
}

@MainActor
func example() async throws {
  let first = try await Realm()
  let second = try await Realm(actor: MainActor.shared)
  let todos = second.objects(Todo.self)
  try await first.asyncWrite {
    first.add(Todo(value: ["name": "Call home"]))
  }
  await first.asyncRefresh()
  print(todos.count)
}
