import FiefRealm
import FiefTesting
import Foundation
import Testing

enum QueriedSize: String, PersistableEnum {
  case small, middle, large
}

enum QueriedGrade: Int, PersistableEnum {
  case low = 1
  case high = 5
}

struct QueriedWord: CustomPersistable, Hashable {
  let text: String
  init(persistedValue: String) { text = persistedValue }
  init(_ text: String) { self.text = text }
  var persistableValue: String { text }
}

struct QueriedCents: CustomPersistable, Hashable, Comparable {
  let amount: Int
  init(persistedValue: Int) { amount = persistedValue }
  init(_ amount: Int) { self.amount = amount }
  var persistableValue: Int { amount }
  static func < (first: Self, second: Self) -> Bool { first.amount < second.amount }
}

final class QueriedPlace: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var number: Int?
  @Persisted var country: QueriedCountry?

  convenience init(_ street: String, _ number: Int? = nil, in country: String? = nil) {
    self.init()
    self.street = street
    self.number = number
    if let country {
      self.country = QueriedCountry()
      self.country?.code = country
    }
  }
}

final class QueriedCountry: EmbeddedObject {
  @Persisted var code = ""
}

final class QueriedTrip: EmbeddedObject {
  @Persisted var title = ""
  @Persisted var stops: List<String>
}

final class QueriedDog: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
  @Persisted var size = QueriedSize.small
  @Persisted var toys: List<QueriedToy>
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<QueriedPerson>

  convenience init(_ name: String, _ age: Int) {
    self.init()
    self.name = name
    self.age = age
  }
}

final class QueriedToy: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var price = 0.0

  convenience init(_ name: String, _ price: Double) {
    self.init()
    self.name = name
    self.price = price
  }
}

final class QueriedPerson: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var isActive = false
  @Persisted var isKnown: Bool?
  @Persisted var small: Int8 = 0
  @Persisted var large: Int64 = 0
  @Persisted var weight: Float = 0
  @Persisted var height = 0.0
  @Persisted var price: Decimal = 0
  @Persisted var born: Date?
  @Persisted var size = QueriedSize.small
  @Persisted var optSize: QueriedSize?
  @Persisted var grade = QueriedGrade.low
  @Persisted var word = QueriedWord("")
  @Persisted var optWord: QueriedWord?
  @Persisted var cents = QueriedCents(0)
  @Persisted var 🐶: String?
  @Persisted var numbers: List<Int>
  @Persisted var optNumbers: List<Double?>
  @Persisted var numberSet: MutableSet<Int>
  @Persisted var scores: Map<String, Int>
  @Persisted var texts: List<String>
  @Persisted var sizes: List<QueriedSize>
  @Persisted var grades: MutableSet<QueriedGrade>
  @Persisted var centsList: List<QueriedCents>
  @Persisted var words: Map<String, QueriedWord>
  @Persisted var home: QueriedPlace?
  @Persisted var trip: QueriedTrip?
  @Persisted var places: List<QueriedPlace>
  @Persisted var dog: QueriedDog?
  @Persisted var dogs: List<QueriedDog>
  @Persisted var dogSet: MutableSet<QueriedDog>
  @Persisted var dogMap: Map<String, QueriedDog?>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
    name = "person \(id)"
  }
}

/// Calls a closure with a fresh store in memory or on disk, which has what another one has added.
func withQueriedStore(
  _ kind: StoreKind,
  _ fill: (WriteTransaction) throws -> Void,
  body: (Store) throws -> Void
) throws {
  try withFreshStores(kind) {
    let repository = TestRepository(objectTypes: [QueriedPerson.self, QueriedDog.self, QueriedToy.self])
    let store = repository.store()
    try store.write(fill)
    try body(store)
    #expect(try repository.check().problems == [])
  }
}

extension Results where Element == QueriedPerson {
  /// The objects that are found, by their keys; what is wrong is thrown.
  func ids() throws -> [Int] { try all().map(\.id) }
}

/// Checks which objects are found; what is wrong with the query is thrown.
func expect(
  _ results: Results<QueriedPerson>,
  _ ids: [Int],
  _ comment: Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let found = try results.ids()
  #expect(found == ids, comment, sourceLocation: sourceLocation)
}
