import FiefRealm
import Foundation

protocol SoftDeletable: Object {
  var isRemoved: Bool { get set }
  var removedAt: Date? { get set }
}

class Memo: Object, SoftDeletable {
  @Persisted var text = ""
  @Persisted var isRemoved = false
  @Persisted var removedAt: Date?
}

extension Realm {
  func remove<T: SoftDeletable>(_ object: T) throws {
    try write {
      object.isRemoved = true
      object.removedAt = Date()
    }
  }

  func present<T: SoftDeletable>(_ type: T.Type) -> Results<T> {
    objects(type).filter("isRemoved == false")
  }
}
