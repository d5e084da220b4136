import FiefRealm
import Foundation

class Person: Object {
  @Persisted var fullName = ""
  @Persisted var age = 0
}

let config = Realm.Configuration(
  schemaVersion: 2,
  migrationBlock: { migration, oldSchemaVersion in
    if oldSchemaVersion < 2 {
      migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
        let firstName = oldObject!["firstName"] as? String
        let lastName = oldObject!["lastName"] as? String
        newObject!["fullName"] = "\(firstName!) \(lastName!)"
      }
    }
  })
