import Fief
import FiefTesting
import Testing

/// An owner whose parts die with it, in every kind of relationship.
final class MixBox: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var items: List<MixItem>
  @Persisted var tagged: MutableSet<MixItem>
  @Persisted var named: Map<String, MixItem?>
  @Persisted var inner: MixBox?
  @Persisted var lid: MixLid?
  @Persisted var pair: List<MixItem>
  @Persisted var weight = 0.0
  @Persisted var lightest: Double?
  @Persisted var heaviest: Double?
  @Persisted var points = 0
  @Persisted var count = 0

  override class func relationships() -> [Relationship] {
    [
      Relationship("items", deleteRule: .cascade), Relationship("tagged", deleteRule: .cascade),
      Relationship("named", deleteRule: .cascade), Relationship("inner", deleteRule: .cascade),
      Relationship("pair", maximum: 2),
    ]
  }

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("weight", .sum(of: "items.weight")),
      DerivedProperty("lightest", .min(of: "items.weight")),
      DerivedProperty("heaviest", .max(of: "items.weight")),
      DerivedProperty("points", .sum(of: "items.points")), DerivedProperty("count", .count(of: "items")),
    ]
  }

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

/// A part of a box, with a link of its own.
final class MixLid: EmbeddedObject {
  @Persisted var label = ""
  @Persisted var item: MixItem?
}

/// One that is watched cannot be deleted.
final class MixItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var weight: Double?
  @Persisted var points = 0
  @Persisted(originProperty: "watched") var guards: LinkingObjects<MixGuard>
  @Persisted(originProperty: "items") var boxes: LinkingObjects<MixBox>

  override class func relationships() -> [Relationship] { [Relationship("guards", deleteRule: .deny)] }

  convenience init(_ id: Int, weight: Double? = nil, points: Int = 0) {
    self.init()
    self.id = id
    self.weight = weight
    self.points = points
  }
}

/// No guard goes before its partner.
final class MixGuard: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var watched: MixItem?
  @Persisted var partner: MixGuard?

  override class func relationships() -> [Relationship] { [Relationship("partner", deleteRule: .deny)] }

  convenience init(_ id: Int, _ watched: MixItem? = nil) {
    self.init()
    self.id = id
    self.watched = watched
  }
}

/// A compound key, and one that is too long for an entry.
final class MixPlace: Object {
  @Persisted(primaryKey: true) var country = ""
  @Persisted(primaryKey: true) var number = 0
  @Persisted(originProperty: "stops") var tours: LinkingObjects<MixTour>
  @Persisted var tourCount = 0
  @Persisted var latest: String?

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("tourCount", .count(of: "tours")),
      DerivedProperty("latest", .max(of: "tours.name")),
    ]
  }

  convenience init(_ country: String, _ number: Int) {
    self.init()
    self.country = country
    self.number = number
  }
}

/// Columns of other names.
final class MixTour: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var stops: List<MixPlace>
  @Persisted var start: MixPlace?
  @Persisted var next: MixTour?

  override class func propertiesMapping() -> [String: String] {
    ["name": "tour_name", "start": "begins", "next": "follow_up"]
  }

  override class func relationships() -> [Relationship] {
    [Relationship("next", deleteRule: .cascade), Relationship("stops", isRequired: true, minimum: 1)]
  }

  convenience init(_ name: String, _ stops: [MixPlace]) {
    self.init()
    self.name = name
    self.stops.append(objectsIn: stops)
    start = stops.first
  }
}

/// The rules of a class are those of its subclasses, which may have more.
class MixAnimal: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var toys: List<MixToy>

  override class func relationships() -> [Relationship] { [Relationship("toys", deleteRule: .cascade)] }
}

final class MixDog: MixAnimal {
  @Persisted var bone: MixToy?
  @Persisted var friends: List<MixDog>
  @Persisted(originProperty: "friends") var friendOf: LinkingObjects<MixDog>

  override class func relationships() -> [Relationship] {
    super.relationships() + [Relationship("bone", deleteRule: .cascade)]
  }
}

final class MixToy: Object {
  @Persisted(primaryKey: true) var id = 0

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

enum MixTypes {
  static let boxes: [Object.Type] = [MixBox.self, MixItem.self, MixGuard.self]
}

struct MixRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? { "mixed" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? = MixTypes.boxes
  var embeddedObjectTypes: [EmbeddedObject.Type]? {
    objectTypes?.contains { $0 == MixBox.self } == true ? [MixLid.self] : []
  }
  var storeOptions = StoreOptions()

  static func with(_ kind: StoreKind, _ types: [Object.Type], _ body: (MixRepository) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    var repository = MixRepository(
      realmMemoryType: kind == .inMemory ? .inMemory(identifier: directory.path) : .inStorage,
      directory: directory.path,
      objectTypes: types
    )
    repository.storeOptions.encryption = kind.ownEncryption
    if let error = repository.store().openingError { throw error }
    try body(repository)
    repository.closeChecked()
  }

  func expectCode(
    _ code: FiefError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) -> FiefError? {
    let error = #expect(throws: FiefError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    return error
  }

  func box(_ id: Int) throws -> MixBox {
    try #require(object(ofType: MixBox.self, forPrimaryKey: id))
  }
}
