import FiefRealm
import Foundation

class Office: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name: String
  @Persisted var address: Address?
  @Persisted var branches: List<Address>
}

class Address: EmbeddedObject {
  @Persisted var street: String
  @Persisted var city: String
  @Persisted var postcode: String?
}
