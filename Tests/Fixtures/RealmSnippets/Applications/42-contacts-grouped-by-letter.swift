import FiefRealm
import Foundation

class Friend: Object {
  @Persisted var name = ""
  @Persisted var phone: String?
  var letter: String { String(name.prefix(1)).uppercased() }
}

final class ContactsModel {
  private(set) var sections: SectionedResults<String, Friend>
  private var token: NotificationToken?

  init(realm: Realm) {
    sections = realm.objects(Friend.self).sectioned(by: \.letter, sortDescriptors: ["name"])
    token = sections.observe { change in
      if case .update(_, _, let insertions, _, _, _) = change { print(insertions) }
    }
  }

  var titles: [String] { sections.map(\.key) }
  func count(in section: Int) -> Int { sections[section].count }
  func name(_ path: IndexPath) -> String { sections[path[0]][path[1]].name }
}
