import FiefRealm
import Foundation

class Todo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
}

actor TodoStore {
  var realm: Realm!

  init() async throws {
    realm = try await Realm(actor: self)
  }

  var count: Int { realm.objects(Todo.self).count }

  func create(name: String) async throws {
    try await realm.asyncWrite {
      realm.create(Todo.self, value: ["_id": ObjectId.generate(), "name": name])
    }
  }

  func delete(id: ObjectId) async throws {
    try await realm.asyncWrite {
      realm.delete(realm.object(ofType: Todo.self, forPrimaryKey: id)!)
    }
  }
}
