import FiefRealm
import Foundation

class Apple: Object {
  @Persisted var kind = ""
}

class Pear: EmbeddedObject {
  @Persisted var kind = ""
}

func example() throws {
  let memory = try Realm(configuration: .init(inMemoryIdentifier: "fruits"))
  var config = Realm.Configuration.defaultConfiguration
  config.objectTypes = [Apple.self, Pear.self]
  let realm = try Realm(configuration: config)
  let typed = Realm.Configuration(inMemoryIdentifier: "x", objectTypes: [Apple.self])
  print(memory.isEmpty, realm.schema.objectSchema.count, typed)
}
