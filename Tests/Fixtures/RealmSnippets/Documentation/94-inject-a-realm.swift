import FiefRealm
import Foundation

class Account: Object {
  @Persisted var balance = 0
}

struct Bank {
  func pay(_ amount: Int, to account: Account, in realm: Realm = try! Realm()) throws {
    try realm.write {
      account.balance += amount
    }
  }

  func total(in realm: Realm) -> Int {
    realm.objects(Account.self).sum(of: \.balance)
  }
}
