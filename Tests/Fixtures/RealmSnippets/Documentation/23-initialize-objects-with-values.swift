import FiefRealm
import Foundation

class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weights: List<Double>

  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

func example() {
  let first = Dog(value: ["name": "Bello", "age": 3])
  let second = Dog(value: ["Rex", 5, [3.5, 4.0]])
  let third = Dog(name: "Waldi")
  print(first, second, third)
}
