import FiefRealm
import Foundation

class Bird: Object {
  @Persisted var name = ""
  @Persisted var nest: Nest?
}

class Nest: Object {
  @Persisted var height = 0
}

func example(realm: Realm) {
  let birds = realm.objects(Bird.self)
  let byName = birds.sorted(by: \.name)
  let byHeight = birds.sorted(by: \.nest?.height, ascending: false)
  let descriptor = SortDescriptor(keyPath: \Bird.name, ascending: true)
  let both = birds.sorted(by: [descriptor, SortDescriptor(keyPath: \Bird.nest?.height)])
  print(byName.count, byHeight.count, both.count)
}
