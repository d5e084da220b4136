import FiefRealm
import Foundation

class Film: Object {
  @Persisted var title = ""
  @Persisted var year = 0
}

func example(realm: Realm) -> NotificationToken {
  let sections = realm.objects(Film.self).sectioned(by: \.year)
  return sections.observe { change in
    switch change {
    case .initial(let sections):
      print(sections.count)
    case .update(_, let deletions, let insertions, let modifications, let toInsert, let toDelete):
      print(deletions, insertions, modifications, toInsert, toDelete)
    }
  }
}
