import FiefRealm
import Foundation

class Account: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted private var kindRaw = 0
  @Persisted private(set) var balance = 0

  enum Kind: Int { case cash, bank }
  var kind: Kind {
    get { Kind(rawValue: kindRaw) ?? .cash }
    set { kindRaw = newValue.rawValue }
  }

  func deposit(_ amount: Int) throws {
    let realm = try self.realm ?? Realm()
    try realm.write { balance += amount }
  }
}
