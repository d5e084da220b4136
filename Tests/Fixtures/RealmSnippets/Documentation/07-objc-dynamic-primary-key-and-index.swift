import FiefRealm
import Foundation

class Station: Object {
  @objc dynamic var code = ""
  @objc dynamic var city = ""
  @objc dynamic var scratch = 0

  override static func primaryKey() -> String? {
    return "code"
  }

  override static func indexedProperties() -> [String] {
    return ["city"]
  }

  override static func ignoredProperties() -> [String] {
    return ["scratch"]
  }
}
