import Fief
import Foundation
import TestEffort

/// Owners with every kind of collection, for aggregates through them.
final class KennelOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var city = ""
  @Persisted(indexed: true) var score = 0
  @Persisted var dog: KennelDog?
  @Persisted var dogs: List<KennelDog>
  @Persisted var strays: List<KennelDog>
  @Persisted var favourites: MutableSet<KennelDog>
  @Persisted var byName: Map<String, KennelDog?>
  @Persisted var numbers: List<Int>
  @Persisted var weights: List<Double?>
  @Persisted var levels: MutableSet<Int>
  @Persisted var prices: Map<String, Double>
  @Persisted var rooms: List<KennelRoom>
  @Persisted var main: KennelRoom?
}

final class KennelDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight: Double?
  @Persisted var fee: Decimal
  @Persisted var born: Date
  @Persisted var toys: List<KennelToy>
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<KennelOwner>
  @Persisted(originProperty: "strays") var strayOf: LinkingObjects<KennelOwner>

  // Links to strays may lead to nothing.
  override class func relationships() -> [Relationship] { [Relationship("strayOf", deleteRule: .noAction)] }
}

/// Toys have no primary key.
final class KennelToy: Object {
  @Persisted var price = 0
}

final class KennelRoom: EmbeddedObject {
  @Persisted var area: Int?
  @Persisted var toys: List<KennelToy>
}

struct KennelRepository: DatabaseConfigurable {
  var realmMemoryType = RealmMemoryType.inMemory(identifier: UUID().uuidString)
  var directory: String?
  var schemaName: String? { "kennel" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [KennelOwner.self, KennelDog.self, KennelToy.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [KennelRoom.self] }
  var migrationBlock: MigrationBlock? { nil }

  static func make(inMemory: Bool, _ directory: TemporaryDirectory) -> KennelRepository {
    inMemory ? KennelRepository() : KennelRepository(realmMemoryType: .inStorage, directory: directory.path)
  }

  var owners: Results<KennelOwner> { store().objects(KennelOwner.self) }

  /// Owners with so many links that some of their collections are in a tree of their own; some links lead to nothing.
  func fill(_ random: inout SeededGenerator) throws {
    let toys = (0..<20).map { _ in KennelToy() }
    for toy in toys { toy.price = Int.random(in: 0...9, using: &random) }
    let dogs = (0..<90).map { id in
      let dog = KennelDog()
      // Keys of several lengths, in no order.
      dog.id = id * 7919 % 4001 - 100
      dog.name = "dog \(id)"
      dog.age = Int.random(in: -2...20, using: &random)
      dog.weight = Bool.random(using: &random) ? Double.random(in: 0...9, using: &random) : nil
      dog.fee = Decimal(Int.random(in: 0...99, using: &random)) / 8
      dog.born = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0...9, using: &random)))
      dog.toys.append(objectsIn: some(toys, 4, &random))
      return dog
    }
    let owners = (0..<30).map { owner(id: $0, dogs, toys, &random) }
    try store().write { transaction in
      try transaction.add(owners)
      try transaction.add(dogs.filter { $0.owners.isEmpty }, update: .all)
    }
    let gone = (0..<9).compactMap { _ in dogs.randomElement(using: &random)?.id }
    try store().write { try $0.delete(ofType: KennelDog.self, forPrimaryKeys: Array(Set(gone))) }
  }

  private func owner(
    id: Int,
    _ dogs: [KennelDog],
    _ toys: [KennelToy],
    _ random: inout SeededGenerator
  ) -> KennelOwner {
    let owner = KennelOwner()
    owner.id = id
    owner.city = ["Oulu", "Turku", "Espoo"].randomElement(using: &random) ?? ""
    owner.score = Int.random(in: 0...5, using: &random)
    owner.dog = Bool.random(using: &random) ? dogs.randomElement(using: &random) : nil
    // The longest are in a tree of their own: a link has three or four bytes.
    let large = TestEffort.count(1_300, more: 3_000)
    let isLarge = id == 13 || TestEffort.isLong && id % 10 == 3
    owner.dogs.append(objectsIn: some(dogs, isLarge ? large : 5, &random))
    owner.strays.append(objectsIn: some(dogs, id == 7 ? large : 4, &random))
    owner.favourites.insert(objectsIn: some(dogs, 5, &random))
    for (number, dog) in some(dogs, 3, &random).enumerated() {
      owner.byName["\(number)"] = Bool.random(using: &random) ? dog : .some(nil)
    }
    owner.numbers.append(objectsIn: (0..<Int.random(in: 0...4, using: &random)).map { $0 * 5 })
    owner.weights.append(
      objectsIn: (0..<4).map { Bool.random(using: &random) ? Double($0) + 0.1 : nil }
    )
    owner.levels.insert(objectsIn: [1, id % 3, id % 5])
    owner.prices["a"] = Double(id) / 3
    owner.prices["b"] = -1
    for _ in 0..<Int.random(in: 0...3, using: &random) { owner.rooms.append(room(toys, &random)) }
    owner.main = Bool.random(using: &random) ? room(toys, &random) : nil
    return owner
  }

  private func room(_ toys: [KennelToy], _ random: inout SeededGenerator) -> KennelRoom {
    let room = KennelRoom()
    room.area = Bool.random(using: &random) ? Int.random(in: 5...50, using: &random) : nil
    room.toys.append(objectsIn: some(toys, 2, &random))
    return room
  }

  private func some<Value>(_ values: [Value], _ most: Int, _ random: inout SeededGenerator) -> [Value] {
    (0..<Int.random(in: most / 2...most, using: &random)).compactMap { _ in
      values.randomElement(using: &random)
    }
  }
}
