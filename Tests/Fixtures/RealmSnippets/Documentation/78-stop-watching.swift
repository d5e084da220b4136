import FiefRealm
import Foundation

class Dog: Object {
  @Persisted var name = ""
}

final class Watcher {
  var token: NotificationToken?
  var tokens = Set<NotificationToken>()

  init(realm: Realm) {
    token = realm.objects(Dog.self).observe { print($0) }
    tokens.insert(realm.observe { kind, _ in print(kind) })
  }

  deinit {
    token?.invalidate()
    tokens.forEach { $0.invalidate() }
  }
}
