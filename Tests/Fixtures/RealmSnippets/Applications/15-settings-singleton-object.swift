import FiefRealm
import Foundation

class AppSettings: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var theme = "light"
  @Persisted var launches = 0

  static func current(in realm: Realm) -> AppSettings {
    if let settings = realm.objects(AppSettings.self).first { return settings }
    let settings = AppSettings()
    try! realm.write { realm.add(settings) }
    return settings
  }

  func update(_ change: (AppSettings) -> Void) {
    guard let realm = realm, !isInvalidated else { return change(self) }
    try! realm.write { change(self) }
  }
}
