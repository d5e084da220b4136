import FiefRealm
import Foundation

@MainActor
final class RealmManager {
  static let shared = RealmManager()
  let realm: Realm
  private init() {
    realm = try! Realm()
  }

  func save(_ object: Object) {
    try? realm.write {
      realm.add(object, update: .modified)
    }
  }

  func fetch<T: Object>(_ type: T.Type) -> Results<T> {
    realm.objects(type)
  }
}
