import FiefRealm
import Foundation

class ShoppingList: Object {
  @objc dynamic var name: String = ""
  @objc dynamic var createdAt = Date()
  let items = List<ShoppingItem>()
}

class ShoppingItem: Object {
  @objc dynamic var title = ""
  @objc dynamic var checked = false
  let parent = LinkingObjects(fromType: ShoppingList.self, property: "items")
}
