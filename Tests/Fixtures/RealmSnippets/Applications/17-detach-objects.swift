import FiefRealm
import Foundation

class Trip: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var title = ""
  @Persisted var stops: List<String>
}

extension Object {
  func detached() -> Self {
    let copy = type(of: self).init()
    for property in objectSchema.properties where !property.isArray {
      copy.setValue(value(forKey: property.name), forKey: property.name)
    }
    return copy
  }
}
