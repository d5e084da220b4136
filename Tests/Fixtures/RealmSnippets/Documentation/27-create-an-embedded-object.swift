import FiefRealm
import Foundation

class Contact: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
  @Persisted var address: Address?

  convenience init(name: String, address: Address) {
    self.init()
    self.name = name
    self.address = address
  }
}

class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var country: String?
}

func example(realm: Realm) throws {
  try realm.write {
    let address = Address()
    address.street = "Main Road 1"
    address.country = "UK"
    let contact = Contact(name: "Nick", address: address)
    realm.add(contact)
  }
}
