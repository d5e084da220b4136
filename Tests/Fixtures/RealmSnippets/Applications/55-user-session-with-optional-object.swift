import FiefRealm
import Foundation

class User: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var email = ""
  @Persisted var lastLogin: Date?
}

final class UserSession {
  static var current: User? {
    guard let realm = try? Realm() else { return nil }
    return realm.objects(User.self).sorted(byKeyPath: "lastLogin", ascending: false).first
  }

  static func update(email: String) {
    guard let user = current?.thaw() ?? current, user.isFrozen == false else { return }
    try? user.realm?.write { user.email = email }
  }
}
