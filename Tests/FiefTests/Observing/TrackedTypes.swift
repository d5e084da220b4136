import Fief
import Foundation
import Testing

@testable import FiefCore

final class TrackedPlace: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var numbers: List<Int>
}

final class TrackedHouse: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var label = ""
  @Persisted var next: TrackedHouse?
}

final class TrackedDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(indexed: true) var rank = 0
  @Persisted var note: String?
  @Persisted var weight: Double?
  @Persisted var mate: TrackedDog?
  @Persisted var house: TrackedHouse?
  @Persisted var home: TrackedPlace?
  @Persisted var places: List<TrackedPlace>
  @Persisted var friends: List<TrackedDog>
  @Persisted var pack: MutableSet<TrackedDog>
  @Persisted var named: Map<String, TrackedDog?>
  @Persisted var scores: List<Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var ratings: Map<String, Int>
  @Persisted var friendCount = 0
  @Persisted(originProperty: "mate") var fans: LinkingObjects<TrackedDog>

  override class func derivedProperties() -> [DerivedProperty] {
    [DerivedProperty("friendCount", .count(of: "friends"))]
  }
}

struct TrackedRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? = "tracked"
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [TrackedDog.self, TrackedHouse.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [TrackedPlace.self] }
  var migrationBlock: MigrationBlock? { nil }

  static func with(inMemory: Bool, _ body: (TrackedRepository) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let repository = TrackedRepository(
      realmMemoryType: inMemory ? .inMemory(identifier: directory.path) : .inStorage,
      directory: directory.path
    )
    try body(repository)
    repository.closeChecked()
  }

  var dogs: Results<TrackedDog> { store().objects(TrackedDog.self) }

  func dog(_ id: Int) -> TrackedDog? { store().object(ofType: TrackedDog.self, forPrimaryKey: id) }

  func delivered() throws { try store().waitUntilDelivered() }
}

/// A dog as plain values.
struct PlainDog: Equatable {
  var id: Int
  var name: String
  var rank: Int
  var note: String?
  var weight: Double?
  var mate: Int?
  var house: Int?
  var friends: [Int]
  var places: [String]
  var home: String?
  var numbers: [Int]
  var scores: [Int]
  var tags: [String]
  var pack: [Int]
  var named: [String: Int?]
  var ratings: [String: Int]
  var friendCount: Int

  init(_ dog: TrackedDog) {
    id = dog.id
    name = dog.name
    rank = dog.rank
    note = dog.note
    weight = dog.weight
    mate = dog.mate?.id
    house = dog.house?.id
    friends = dog.friends.map(\.id)
    places = dog.places.map(Self.text)
    home = dog.home.map(Self.text)
    numbers = dog.home.map { Array($0.numbers) } ?? []
    scores = Array(dog.scores)
    tags = dog.tags.sorted()
    pack = dog.pack.map(\.id).sorted()
    named = [:]
    for (name, other) in dog.named { named.updateValue(other?.id, forKey: name) }
    ratings = [:]
    for (name, rating) in dog.ratings { ratings[name] = rating }
    friendCount = dog.friendCount
  }

  private static func text(_ place: TrackedPlace) -> String { "\(place.street) \(Array(place.numbers))" }

  var street: String? { home.map { String($0.prefix { $0 != " " }) } }

  /// The stored properties as texts.
  var properties: [String: String] {
    [
      "name": name, "rank": "\(rank)", "note": "\(note as Any)", "weight": "\(weight as Any)",
      "mate": "\(mate as Any)", "house": "\(house as Any)", "home": "\(home as Any)", "places": "\(places)",
      "friends": "\(friends)", "pack": "\(pack)", "scores": "\(scores)", "tags": "\(tags)",
      "named": "\(named.sorted { $0.key < $1.key })", "ratings": "\(ratings.sorted { $0.key < $1.key })",
      "friendCount": "\(friendCount)",
    ]
  }

  var text: String {
    properties.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
  }
}

/// All that a store has, as plain values.
struct PlainWorld {
  var dogs: [Int: PlainDog] = [:]
  var labels: [Int: String] = [:]
  var nexts: [Int: Int] = [:]

  init(_ repository: TrackedRepository) throws {
    try repository.read { snapshot in self = PlainWorld(snapshot) }
  }

  init(_ snapshot: Snapshot) {
    for dog in snapshot.objects(TrackedDog.self) { dogs[dog.id] = PlainDog(dog) }
    for house in snapshot.objects(TrackedHouse.self) {
      labels[house.id] = house.label
      nexts[house.id] = house.next?.id
    }
  }

  func fans(_ id: Int) -> [PlainDog] { dogs.values.filter { $0.mate == id }.sorted { $0.id < $1.id } }

  /// The label of the house that so many links lead to.
  func label(_ house: Int?, _ steps: Int) -> String? {
    var house = house
    for _ in 0..<steps { house = house.flatMap { nexts[$0] } }
    return house.flatMap { labels[$0] }
  }
}
