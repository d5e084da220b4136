import FiefRealm
import Foundation

protocol Repository {
  associatedtype Entity
  func getAll(where predicate: NSPredicate?) -> [Entity]
  func insert(_ item: Entity) throws
  func delete(_ item: Entity) throws
}

final class RealmRepository<T: Object>: Repository {
  private let realm: Realm
  init(realm: Realm) { self.realm = realm }

  func getAll(where predicate: NSPredicate?) -> [T] {
    var objects = realm.objects(T.self)
    if let predicate = predicate {
      objects = objects.filter(predicate)
    }
    return Array(objects)
  }
  func insert(_ item: T) throws {
    try realm.write { realm.add(item) }
  }
  func delete(_ item: T) throws {
    try realm.write { realm.delete(item) }
  }
}
