import FiefRealm
import Foundation

class Tea: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name = ""
  @Persisted var minutes = 3

  @MainActor static let samples: [Tea] = [
    Tea(value: ["name": "Assam", "minutes": 4]),
    Tea(value: ["name": "Sencha", "minutes": 2]),
  ]
}

enum Preview {
  @MainActor static let realm: Realm = {
    var configuration = Realm.Configuration()
    configuration.inMemoryIdentifier = "preview"
    let realm = try! Realm(configuration: configuration)
    if realm.objects(Tea.self).isEmpty {
      try! realm.write { realm.add(Tea.samples) }
    }
    return realm
  }()
}
