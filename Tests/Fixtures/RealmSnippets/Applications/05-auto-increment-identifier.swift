import FiefRealm
import Foundation

class Entry: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""

  static func nextId(in realm: Realm) -> Int {
    (realm.objects(Entry.self).max(ofProperty: "id") as Int? ?? 0) + 1
  }
}
