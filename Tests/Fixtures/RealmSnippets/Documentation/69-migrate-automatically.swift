import FiefRealm
import Foundation

class Person: Object {
  @Persisted var firstName = ""
  @Persisted var email: String?
}

func example() throws {
  let config = Realm.Configuration(schemaVersion: 2)
  Realm.Configuration.defaultConfiguration = config
  let realm = try Realm()
  print(realm.objects(Person.self).count, try schemaVersionAtURL(config.fileURL!))
}
