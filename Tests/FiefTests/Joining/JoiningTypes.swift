import Fief
import Foundation

final class JoiningDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(index: .unique) var chip = ""
  @Persisted(indexed: true) var name = ""
  @Persisted var age = 0
  @Persisted var note: String?
  @Persisted var owner: JoiningPerson?
  @Persisted var friends: List<JoiningDog>
  @Persisted var tags: MutableSet<String>
  @Persisted var marks: List<Int>
  @Persisted var prices: Map<String, Int>
  @Persisted var home: JoiningHome?
  @Persisted var places: List<JoiningHome>
  @Persisted var rooms: Map<String, JoiningHome?>
  @Persisted(originProperty: "friends") var likedBy: LinkingObjects<JoiningDog>

  convenience init(_ id: Int, _ name: String = "", age: Int = 0) {
    self.init()
    self.id = id
    self.name = name
    self.age = age
    chip = "chip \(id)"
  }
}

/// No primary key.
final class JoiningPerson: Object {
  @Persisted var name = ""
  @Persisted var dogsCount = 0
  @Persisted(originProperty: "owner") var dogs: LinkingObjects<JoiningDog>

  override class func derivedProperties() -> [DerivedProperty] {
    [DerivedProperty("dogsCount", .count(of: "dogs"))]
  }

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

final class JoiningHome: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var number = 0
  @Persisted var door: JoiningDoor?
  @Persisted var keys: List<String>

  convenience init(_ street: String, _ number: Int = 0) {
    self.init()
    self.street = street
    self.number = number
  }
}

final class JoiningDoor: EmbeddedObject {
  @Persisted var color = ""
}

/// A class whose collections and links that were not read yet are encoded without the object.
final class JoiningNote: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var words: List<String>
  @Persisted var next: JoiningNote?
}

enum Joining {
  struct Refused: Error {}

  static func store(
    _ place: TypedPlace,
    events: (@Sendable (StoreEvent) -> Void)? = nil
  ) throws -> TypedStore {
    try TypedStore(
      place,
      [JoiningDog.self, JoiningPerson.self, JoiningNote.self],
      embedded: [JoiningHome.self, JoiningDoor.self],
      events: events
    )
  }

  static func store(_ place: TypedPlace, with dogs: JoiningDog...) throws -> TypedStore {
    let store = try store(place)
    try store.put(dogs)
    return store
  }
}

extension TypedStore {
  func dog(_ id: Int) throws -> JoiningDog { try get(JoiningDog.self, id) }
}
