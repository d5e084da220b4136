import FiefRealm
import Foundation

class Quote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var isFavourite = false
}

struct FavouritesService {
  func toggle(id: Int) {
    guard let realm = try? Realm(),
      let quote = realm.object(ofType: Quote.self, forPrimaryKey: id)
    else { return }
    try? realm.write {
      quote.isFavourite.toggle()
    }
  }

  var favourites: Results<Quote>? {
    try? Realm().objects(Quote.self).filter("isFavourite = true")
  }
}
