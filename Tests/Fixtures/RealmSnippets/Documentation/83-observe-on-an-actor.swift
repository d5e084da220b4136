import FiefRealm
import Foundation

class Todo: Object {
  @Persisted var name: String
}

actor Watcher {
  var seen = 0
  func note(_ insertions: [Int]) { seen += insertions.count }
}

@MainActor
func example() async throws {
  let realm = try await Realm()
  let watcher = Watcher()
  let token = await realm.objects(Todo.self).observe(on: watcher) { actor, changes in
    switch changes {
    case .initial: break
    case .update(_, _, let insertions, _): actor.note(insertions)
    case .error(let error): print(error)
    }
  }
  token.invalidate()
}
