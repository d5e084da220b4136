import FiefRealm
import Foundation

class Label: Object {
  @Persisted var text = ""
}

func configuration() -> Realm.Configuration {
  .init(
    schemaVersion: 4,
    migrationBlock: { migration, version in
      guard version < 4 else { return }
      migration.create(Label.className(), value: ["text": "new"])
      migration.enumerateObjects(ofType: Label.className()) { old, new in
        if let new, (old?["text"] as! String).isEmpty {
          migration.delete(new)
        }
      }
      migration.deleteData(forType: "Sticker")
      print(migration.oldSchema["Label"]?.properties.count ?? 0, migration.newSchema.objectSchema.count)
    },
    objectTypes: [Label.self])
}
