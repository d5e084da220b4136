import FiefRealm
import Foundation

class Dog: Object {
  @Persisted var name = ""
}

func example(realm: Realm, tokens: [NotificationToken]) throws {
  try realm.write(withoutNotifying: [tokens[0]]) {
    realm.add(Dog(value: ["Rex"]))
  }
  realm.beginWrite()
  realm.add(Dog())
  try realm.commitWrite(withoutNotifying: tokens)
}
