import FiefRealm
import Foundation

class CachedResponse: Object {
  @Persisted(primaryKey: true) var url: String
  @Persisted var body: Data
  @Persisted var expires: Date
}

final class ResponseCache {
  func body(for url: URL) -> Data? {
    guard let realm = try? Realm() else { return nil }
    let hit = realm.object(ofType: CachedResponse.self, forPrimaryKey: url.absoluteString)
    return hit.flatMap { $0.expires > Date() ? $0.body : nil }
  }

  func store(_ body: Data, for url: URL, seconds: TimeInterval) throws {
    let realm = try Realm()
    let values: [String: Any] = ["url": url.absoluteString, "body": body, "expires": Date(timeIntervalSinceNow: seconds)]
    try realm.write {
      realm.delete(realm.objects(CachedResponse.self).filter("expires < %@", Date()))
      realm.create(CachedResponse.self, value: values, update: .all)
    }
  }
}
