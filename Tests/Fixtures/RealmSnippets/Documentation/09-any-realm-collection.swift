import FiefRealm
import Foundation

class Painting: Object {
  @Persisted var title: String
}

final class GalleryScreen {
  let paintings: AnyRealmCollection<Painting>

  init<C: RealmCollection>(from collection: C) where C.Element == Painting {
    paintings = AnyRealmCollection(collection)
  }

  func title(at index: Int) -> String {
    paintings[index].title
  }
}
