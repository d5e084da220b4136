import FiefRealm
import Foundation

class Visitor: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name = ""
}

extension Realm {
  @discardableResult
  func insert<T: Object>(_ object: T) throws -> T {
    try write {
      add(object)
      return object
    }
  }
}

func register(_ name: String, in realm: Realm) throws -> ObjectId {
  try realm.write { realm.create(Visitor.self, value: ["name": name]).id }
}
