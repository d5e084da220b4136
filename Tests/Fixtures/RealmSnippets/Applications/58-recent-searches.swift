import FiefRealm
import Foundation

class RecentSearch: Object {
  @Persisted(primaryKey: true) var text = ""
  @Persisted(indexed: true) var date = Date()
}

final class RecentSearches {
  private let realm = try! Realm()
  private lazy var searches = realm.objects(RecentSearch.self).sorted(byKeyPath: "date", ascending: false)

  func record(_ text: String) {
    try! realm.write {
      realm.add(RecentSearch(value: ["text": text, "date": Date()]), update: .modified)
      if searches.count > 10 {
        realm.delete(searches[10..<searches.count])
      }
    }
  }

  var texts: [String] { searches.prefix(5).map(\.text) }
}
