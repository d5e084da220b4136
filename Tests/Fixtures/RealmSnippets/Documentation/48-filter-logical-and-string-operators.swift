import FiefRealm
import Foundation

class Team: Object {
  @Persisted var name = ""
  @Persisted var city: String?
  @Persisted var size = 0
}

func example(realm: Realm) {
  let teams = realm.objects(Team.self)
  print(teams.filter("name == 'Reds' && NOT size > 3").count)
  print(teams.filter("name BEGINSWITH 'e'").count, teams.filter("name ENDSWITH[c] 's'").count)
  print(teams.filter("name CONTAINS[cd] 'ie'").count, teams.filter("name LIKE[c] '?ed*'").count)
  print(teams.filter("city ==[cd] 'ulm'").count, teams.filter("name !=[c] 'reds'").count)
}
