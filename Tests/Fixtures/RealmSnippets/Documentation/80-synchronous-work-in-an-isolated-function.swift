import FiefRealm
import Foundation

class Todo: Object {
  @Persisted var name: String
}

actor Background {
  var realm: Realm!
  init() async throws {
    realm = try await Realm(configuration: .defaultConfiguration, actor: self)
  }
}

func addTodo(in actor: isolated Background) throws {
  try actor.realm.write {
    actor.realm.create(Todo.self, value: ["name": "Water the plants"])
  }
}

func example() async throws {
  let actor = try await Background()
  try await addTodo(in: actor)
}
