import FiefRealm
import Foundation

class Person: Object {
  @Persisted var dogs: List<Dog>
}

class Dog: Object {
  @Persisted var age = 0
}

func example(realm: Realm) {
  let people = realm.objects(Person.self)
  print(people.filter("dogs.@avg.age == 7").count, people.filter("dogs.@sum.age > 10").count)
  print(people.where { $0.dogs.age.avg == 7 }.count, people.where { $0.dogs.age.sum > 10 }.count)
  let dogs = realm.objects(Dog.self)
  let oldest: Int? = dogs.max(ofProperty: "age")
  let mean: Double? = dogs.average(ofProperty: "age")
  let sum: Int = dogs.sum(ofProperty: "age")
  print(oldest ?? 0, mean ?? 0, sum, dogs.min(of: \.age) ?? 0, dogs.average(of: \.age) ?? 0)
}
