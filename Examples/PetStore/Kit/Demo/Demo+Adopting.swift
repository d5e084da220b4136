import Fief
import FiefConsole
import Foundation

extension Demo {
  /// Sells dogs: an order in one store and an owner in another one, both or neither.
  func sellDogs() async throws {
    console.heading("6. One order, two stores")
    var data = DemoData(seed: 6)
    let number = try store.payments.lastOrderNumber() + 1
    let customers = (0..<2).map { data.customer(number: number + $0) }
    let dogs = [UUID(), UUID()]
    for (dog, customer) in zip(dogs, customers) { try await store.pets.takeIn(customer.dogs[0], id: dog) }
    let waiting = try store.pets.homelessDogs()

    let clock = ContinuousClock()
    let start = clock.now
    for (place, dog) in dogs.enumerated() {
      let order = customers[place].order(number: number + place, userID: UUID())
      try await store.sell(dog, to: customers[place].name, order)
    }
    let time = (clock.now - start) / dogs.count
    console.say(
      "\(waiting) dogs wait for an owner, and \(dogs.count) are sold. The order is in `payments`, the owner in `pets`, and "
        + "each sale is one write to both: \(Format.duration(time)). A later order for a sold dog fails:"
    )
    do {
      try await store.sell(dogs[0], to: "Late", customers[1].order(number: number + 2, userID: UUID()))
    } catch {
      show(error)
    }
    guard try store.payments.lastOrderNumber() == number + 1 else { throw DemoFailure.halfSold }

    try await store.pets.remove(dogs[1])
    console.say(
      "An order refers to its dogs, but no rules apply across stores. The second dog has since been deleted; "
        + "this is a value, not an error:"
    )
    var table = Table(">order", "dog")
    for order in number...number + 1 {
      for dog in try await store.dogs(ofOrder: order) { table.add("\(order)", dog.description) }
    }
    console.table(table)
  }
}

extension PetStore.OrderedDog: CustomStringConvertible {
  var description: String {
    switch self {
    case .dog(let name): name
    case .missing(let reference, let reason): "\(reference): \(reason)"
    }
  }
}
