import FiefRealm
import Foundation

class Bookshelf: Object {
  @Persisted var title = ""
  @Persisted var tags: MutableSet<Tag>
}

class Tag: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted(originProperty: "tags") var shelves: LinkingObjects<Bookshelf>
}

func tag(_ shelf: Bookshelf, with names: [String]) throws {
  let realm = try Realm()
  try realm.write {
    let tags = names.map { realm.create(Tag.self, value: ["name": $0], update: .modified) }
    shelf.tags.insert(objectsIn: tags)
    for tag in shelf.tags where !names.contains(tag.name) { shelf.tags.remove(tag) }
    realm.delete(realm.objects(Tag.self).where { $0.shelves.count == 0 })
  }
}
