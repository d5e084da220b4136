import FiefRealm
import Foundation

class Project: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

func example() throws {
  let realm = try Realm()
  let project = realm.object(ofType: Project.self, forPrimaryKey: 12345)
  guard let project else { return }
  print(project.name)
}
