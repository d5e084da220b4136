import FiefRealm
import Foundation

class Bookmark: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var title = ""
}

struct BookmarkValue: Sendable {
  let id: UUID
  let title: String
}

actor BookmarkDatabase {
  private var realm: Realm { get throws { try Realm() } }

  func all() throws -> [BookmarkValue] {
    try realm.objects(Bookmark.self).sorted(by: \.title).map { BookmarkValue(id: $0.id, title: $0.title) }
  }

  func insert(_ value: BookmarkValue) throws {
    let realm = try realm
    try realm.write { realm.add(Bookmark(value: ["id": value.id, "title": value.title]), update: .modified) }
  }

  func remove(_ id: UUID) throws {
    let realm = try realm
    guard let bookmark = realm.object(ofType: Bookmark.self, forPrimaryKey: id) else { return }
    try realm.write { realm.delete(bookmark) }
  }
}
