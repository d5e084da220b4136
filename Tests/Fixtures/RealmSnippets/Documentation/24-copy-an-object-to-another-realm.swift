import FiefRealm
import Foundation

class Note: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
}

func example() throws {
  let memory = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "notes"))
  let disk = try Realm()
  try memory.write {
    memory.add(Note(value: [1, "first"]))
  }
  guard let note = memory.objects(Note.self).first else { return }
  try disk.write {
    disk.create(Note.self, value: note, update: .modified)
  }
}
