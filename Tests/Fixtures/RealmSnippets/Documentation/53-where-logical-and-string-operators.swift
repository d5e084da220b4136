import FiefRealm
import Foundation

class Team: Object {
  @Persisted var name = ""
  @Persisted var city: String?
  @Persisted var size = 0
}

func example(realm: Realm) {
  let teams = realm.objects(Team.self)
  print(teams.where { $0.name == "Reds" && !($0.size > 3) }.count)
  print(teams.where { $0.name.starts(with: "R") || $0.name.ends(with: "s") }.count)
  print(teams.where { $0.name.contains("ED", options: .caseInsensitive) }.count)
  print(teams.where { $0.name.like("?e*") && $0.city.contains("l", options: [.caseInsensitive, .diacriticInsensitive]) }.count)
  print(teams.where { $0.name.equals("reds", options: .caseInsensitive) }.count)
}
