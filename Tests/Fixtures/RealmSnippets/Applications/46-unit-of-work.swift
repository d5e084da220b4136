import FiefRealm
import Foundation

protocol UnitOfWork {
  func perform<T>(_ work: (Realm) throws -> T) throws -> T
}

struct RealmUnitOfWork: UnitOfWork {
  var configuration = Realm.Configuration.defaultConfiguration

  func perform<T>(_ work: (Realm) throws -> T) throws -> T {
    let realm = try Realm(configuration: configuration)
    return try realm.write { try work(realm) }
  }
}

class Coin: Object {
  @Persisted var value = 0
}

func example() throws {
  let count = try RealmUnitOfWork().perform { realm -> Int in
    realm.add(Coin(value: [2]))
    return realm.objects(Coin.self).count
  }
  print(count)
}
