import FiefRealm
import Foundation

class Person: Object {
  @Persisted var fullName = ""
  @Persisted var yearsSinceBirth = 0
}

func configure() {
  Realm.Configuration.defaultConfiguration = Realm.Configuration(
    schemaVersion: 3,
    migrationBlock: { migration, oldSchemaVersion in
      if oldSchemaVersion < 2 {
        migration.enumerateObjects(ofType: "Person") { old, new in
          new?["fullName"] = (old?["name"] as? String ?? "").uppercased()
        }
      }
      if oldSchemaVersion < 3 {
        migration.renameProperty(onType: Person.className(), from: "age", to: "yearsSinceBirth")
      }
    })
}
