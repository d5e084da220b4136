import FiefRealm
import Foundation

protocol NotesProvider {
  func notes() -> [String]
  func add(_ text: String)
}

class StoredNote: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var text = ""
}

final class RealmNotesProvider: NotesProvider {
  private let open: () -> Realm
  init(open: @escaping () -> Realm = { try! Realm() }) { self.open = open }

  func notes() -> [String] { open().objects(StoredNote.self).sorted(by: \.text).map(\.text) }
  func add(_ text: String) {
    let realm = open()
    try! realm.write { _ = realm.create(StoredNote.self, value: ["text": text]) }
  }
}

func makeProvider() -> NotesProvider {
  RealmNotesProvider { try! Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString)) }
}
