import FiefRealm
import Foundation

class Author: Object {
  @Persisted var name = ""
  @Persisted var books: List<Book>
}

class Book: Object {
  @Persisted var title = ""
  @Persisted var pages = 0
}

func example() throws {
  let known = Book(value: ["title": "Emma", "pages": 474])
  let author = Author(value: ["Jane", [["Persuasion", 249], known]])
  let other = Author(value: ["name": "Mary", "books": [known]])
  let realm = try Realm()
  try realm.write {
    realm.add([author, other])
  }
}
