import Fief
import FiefStress
import Foundation

/// Random changes of all kinds.
struct TrackedWrites {
  var random: StressRandom
  let dogs: Int
  let houses = 6

  mutating func fill(_ tx: WriteTransaction) throws {
    for id in 0..<houses { try tx.create(TrackedHouse.self, value: ["id": id, "label": "h\(id % 3)"]) }
    for id in 0..<dogs { try tx.add(new(id)) }
  }

  private mutating func new(_ id: Int) -> TrackedDog {
    let dog = TrackedDog()
    dog.id = id
    dog.name = name()
    dog.rank = random.next(8)
    return dog
  }

  private mutating func name() -> String { "n\(random.next(6))" }

  private mutating func any(_ tx: WriteTransaction) throws -> TrackedDog? {
    try tx.object(ofType: TrackedDog.self, forPrimaryKey: random.next(dogs))
  }

  private mutating func house(_ tx: WriteTransaction) throws -> TrackedHouse? {
    try tx.object(ofType: TrackedHouse.self, forPrimaryKey: random.next(houses))
  }

  mutating func step(_ tx: WriteTransaction) throws {
    // The first ones have the collections that are observed.
    let id = random.next(3) == 0 ? random.next(3) : random.next(dogs + 10)
    guard let dog = try tx.object(ofType: TrackedDog.self, forPrimaryKey: id) else {
      return try tx.add(new(id))
    }
    switch random.next(34) {
    case 0: dog.name = name()
    case 1, 2: dog.rank = random.next(8)
    case 3: dog.note = [nil, "x", "y"][random.next(3)]
    case 4: dog.weight = random.next(3) == 0 ? nil : Double(random.next(5))
    case 5, 6: dog.mate = try any(tx)
    case 7: dog.house = try house(tx)
    case 8: dog.home = random.next(3) == 0 ? nil : TrackedPlace(value: ["street": name()])
    case 9: dog.home?.street = name()
    case 10: dog.home?.numbers.append(random.next(9))
    case 11: dog.places.append(TrackedPlace(value: ["street": name()]))
    case 12: if !dog.places.isEmpty { dog.places[random.next(dog.places.count)].street = name() }
    case 13: if !dog.places.isEmpty { dog.places.remove(at: random.next(dog.places.count)) }
    case 14: if let other = try any(tx) { dog.friends.insert(other, at: random.next(dog.friends.count + 1)) }
    case 15: if !dog.friends.isEmpty { dog.friends.remove(at: random.next(dog.friends.count)) }
    case 16:
      if !dog.friends.isEmpty {
        dog.friends.move(from: random.next(dog.friends.count), to: random.next(dog.friends.count))
      }
    case 17:
      let more = try (0..<30).compactMap { _ in try any(tx) }
      if dog.friends.count < 900 { for _ in 0..<20 { dog.friends.append(objectsIn: more) } }
    case 18: if random.next(3) == 0 { dog.friends.removeAll() }
    case 19: if let other = try any(tx) { dog.pack.insert(other) }
    case 20: if let other = try any(tx) { dog.pack.remove(other) }
    case 21: dog.named["k\(random.next(5))"] = .some(try any(tx))
    case 22: dog.named.removeObject(for: "k\(random.next(5))")
    case 23:
      dog.scores.append(
        objectsIn: (0..<(random.next(4) == 0 && dog.scores.count < 2_000 ? 1_500 : 3)).map { $0 &* 1_000_003 }
      )
    case 24:
      if !dog.scores.isEmpty { dog.scores[random.next(dog.scores.count)] = random.next(5) }
    case 25:
      if random.next(3) == 0 {
        dog.scores.removeAll()
      } else if !dog.scores.isEmpty {
        dog.scores.removeLast()
      }
    case 26: if random.next(2) == 0 { dog.tags.insert(name()) } else { dog.tags.remove(name()) }
    case 27:
      if random.next(4) == 0 {
        for number in 0..<400 { dog.tags.insert("a rather long tag \(number)") }
      } else {
        dog.tags.remove("a rather long tag \(random.next(400))")
      }
    case 28: dog.ratings[name()] = random.next(4)
    case 29: if let house = try house(tx) { house.label = "h\(random.next(3))" }
    case 30: try house(tx)?.next = try house(tx)
    case 31: if random.next(2) == 0 { try tx.delete(dog) }
    case 32:
      try tx.delete(dog)
      try tx.add(new(id))
    default:
      // Nothing that is another value than before.
      dog.name = dog.name
      dog.rank = dog.rank
      let friends = Array(dog.friends)
      dog.friends.removeAll()
      dog.friends.append(objectsIn: friends)
      dog.ratings.merge(dog.ratings.reduce(into: [:]) { $0[$1.key] = $1.value })
    }
  }
}
