import FiefRealm
import Foundation

class Category: Object {
  @Persisted var name = ""
  @Persisted var colour = ""
  @Persisted var items: List<Item>
}

class Item: Object {
  @Persisted var title = ""
  @Persisted var done = false
  @Persisted var created: Date?
  @Persisted(originProperty: "items") var parent: LinkingObjects<Category>
}

final class TodoScreen {
  let realm = try! Realm()
  var items: Results<Item>?
  var selected: Category? {
    didSet { items = selected?.items.sorted(byKeyPath: "title", ascending: true) }
  }

  func title(at row: Int) -> String { items?[row].title ?? "No items yet" }

  func toggle(at row: Int) {
    guard let item = items?[row] else { return }
    do {
      try realm.write { item.done = !item.done }
    } catch { print("Cannot save, \(error)") }
  }

  func search(_ text: String) {
    items = items?.filter("title CONTAINS[cd] %@", text).sorted(byKeyPath: "created", ascending: true)
  }
}
