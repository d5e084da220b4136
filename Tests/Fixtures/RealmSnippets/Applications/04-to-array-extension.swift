import FiefRealm
import Foundation

extension Results {
  func toArray() -> [Element] {
    return compactMap { $0 }
  }
}

extension List {
  func toArray() -> [Element] {
    return Array(self)
  }
}

extension Array where Element: RealmCollectionValue {
  func toList() -> List<Element> {
    let list = List<Element>()
    list.append(objectsIn: self)
    return list
  }
}
