import FiefRealm
import Foundation

class Stock: Object {
  @Persisted(primaryKey: true) var code = ""
  @Persisted var count = 0
}

func transfer(_ amount: Int, from: Stock, to: Stock) throws {
  let realm = try Realm()
  realm.beginWrite()
  from.count -= amount
  to.count += amount
  if from.count < 0 {
    realm.cancelWrite()
    throw NSError(domain: "stock", code: 1)
  }
  try realm.commitWrite()
}
