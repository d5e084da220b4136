import FiefRealm
import Foundation

class Pet: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var friends: List<Pet>
}

func describe(_ realm: Realm) {
  for objectSchema in realm.schema.objectSchema {
    print(objectSchema.className, objectSchema.primaryKeyProperty?.name ?? "no key")
    for property in objectSchema.properties {
      print(property.name, property.type == .string, property.isIndexed, property.isOptional, property.isArray)
      print(property.objectClassName ?? "", property.isSet, property.isMap, property.columnName ?? "")
    }
  }
  print(Pet.sharedSchema()?.className ?? "")
}
