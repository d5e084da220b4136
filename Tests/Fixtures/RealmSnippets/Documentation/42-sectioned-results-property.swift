import FiefRealm
import Foundation

class Film: Object {
  @Persisted var title = ""
  @Persisted var year = 0
  var initial: String { title.first.map(String.init) ?? "" }
}

final class FilmsScreen {
  var sections: SectionedResults<String, Film>?
  var byDecade: SectionedResults<Int, Film>!

  func load() throws {
    let realm = try Realm()
    let films = realm.objects(Film.self)
    sections = films.sectioned(by: \.initial, ascending: true)
    byDecade = films.sectioned(by: { $0.year / 10 * 10 }, sortDescriptors: [SortDescriptor(keyPath: "year")])
  }
}
