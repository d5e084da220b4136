import FiefRealm
import Foundation

class Todo: Object {
  @Persisted var name: String
}

@globalActor actor Importer: GlobalActor {
  static let shared = Importer()
}

@Importer
func importTodos(_ names: [String]) async throws -> Int {
  let realm = try await Realm(actor: Importer.shared)
  try await realm.asyncWrite {
    for name in names {
      realm.create(Todo.self, value: ["name": name])
    }
  }
  return realm.objects(Todo.self).count
}
