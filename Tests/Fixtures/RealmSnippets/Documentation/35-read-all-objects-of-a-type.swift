import FiefRealm
import Foundation

class Bird: Object {
  @Persisted var name = ""
}

func example() throws {
  let realm = try Realm()
  let birds = realm.objects(Bird.self)
  print(birds.count, birds.isEmpty)
  for bird in birds {
    print(bird.name)
  }
  let first = birds.first
  let last = birds.last
  let names = Array(birds.map(\.name))
  print(first?.name ?? "", last?.name ?? "", names, birds[0])
}
