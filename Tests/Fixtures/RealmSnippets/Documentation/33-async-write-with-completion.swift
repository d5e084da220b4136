import FiefRealm
import Foundation

class Cat: Object {
  @Persisted var name = ""
}

func example() throws {
  let realm = try Realm()
  realm.writeAsync {
    realm.create(Cat.self, value: ["name": "Mia"])
  } onComplete: { error in
    if let error = error {
      print("The write failed: \(error.localizedDescription)")
    }
  }
}
