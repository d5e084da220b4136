import FiefRealm
import Foundation

class Bird: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var nest: Nest?
}

class Nest: Object {
  @Persisted var height = 0
}

func example(realm: Realm) {
  let birds = realm.objects(Bird.self)
  let byAge = birds.sorted(byKeyPath: "age", ascending: false)
  let byNest = birds.sorted(byKeyPath: "nest.height")
  let byBoth = birds.sorted(by: [
    SortDescriptor(keyPath: "age", ascending: false),
    SortDescriptor(keyPath: "name"),
    "nest.height",
  ])
  print(byAge.count, byNest.count, byBoth.count)
}
