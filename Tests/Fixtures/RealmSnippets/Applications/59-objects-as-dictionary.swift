import FiefRealm
import Foundation

extension Object {
  func toDictionary() -> [String: Any] {
    let names = objectSchema.properties.map { $0.name }
    var result = dictionaryWithValues(forKeys: names)
    for property in objectSchema.properties where property.type == .object {
      if let object = self[property.name] as? Object {
        result[property.name] = object.toDictionary()
      }
    }
    return result
  }
}
