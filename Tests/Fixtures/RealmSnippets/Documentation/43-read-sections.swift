import FiefRealm
import Foundation

class Film: Object {
  @Persisted var title = ""
  @Persisted var year = 0
}

func example(realm: Realm) {
  let sections = realm.objects(Film.self).sectioned(by: \.year)
  for section in sections {
    print("Year \(section.key)")
    for film in section {
      print("- \(film.title)")
    }
  }
  let titles = sections.flatMap { $0.map(\.title) }
  print(sections.allKeys, titles, sections[0].count, sections[IndexPath(indexes: [0, 0])])
}
