import FiefRealm
import Foundation

class Customer: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var familyName: String
  @Persisted var postalCode: String

  override class func propertiesMapping() -> [String: String] {
    ["familyName": "last_name", "postalCode": "zip"]
  }
}
