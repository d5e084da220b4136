import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *Models and property types*.
@Suite(.freshStores) struct ModelsArticleTests {
  // Documentation: begin model
  enum Difficulty: String, PersistableEnum { case easy, hard }

  final class Trip: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted(indexed: true) var title = ""
    @Persisted var begins: Date
    @Persisted var price: Decimal
    @Persisted var rating: Double?
    @Persisted var difficulty: Difficulty
    @Persisted var website: URL?
    @Persisted var labels: [String]
    var isSelected = false  // Not stored.
  }
  // Documentation: end model

  // Documentation: begin compound
  final class Seat: Object {
    @Persisted(primaryKey: true) var row = ""
    @Persisted(primaryKey: true) var number = 0
    @Persisted var guest: String?
  }
  // Documentation: end compound

  // Documentation: begin own
  /// Stored as an integer.
  struct Distance: CustomPersistable, Hashable {
    var metres: Int
    init(metres: Int) { self.metres = metres }
    init(persistedValue: Int) { metres = persistedValue }
    var persistableValue: Int { metres }
  }

  /// Stored as one text of JSON.
  struct Preferences: PersistableCodable {
    var theme = "light"
    var fontSizes = [10, 12]
  }
  // Documentation: end own

  // Documentation: begin objects
  final class Place: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var latitude = 0.0
    @Persisted var longitude = 0.0
  }

  final class Guide: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var languages: MutableSet<String>
    @Persisted(originProperty: "guide") var tours: LinkingObjects<Tour>
  }

  final class Tour: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var guide: Guide?
    @Persisted var start: Place?
    @Persisted var stops: List<Place>
    @Persisted var guests: Map<String, Int>
    @Persisted var length: Distance
    @Persisted var preferences: Preferences
  }
  // Documentation: end objects

  // Documentation: begin columns
  final class Flight: Object {
    @Persisted(primaryKey: true) var number = ""
    @Persisted var leaves: Date

    override class func className() -> String { "ScheduledFlight" }
    override class func propertiesMapping() -> [String: String] { ["leaves": "departure_time"] }
  }
  // Documentation: end columns

  // Documentation: begin inheritance
  class Document: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var created: Date
  }

  final class Invoice: Document {
    @Persisted var total: Decimal
  }

  final class Letter: Document {
    @Persisted var text = ""
  }
  // Documentation: end inheritance

  private let tours = TestRepository(
    "tours",
    objectTypes: [
      Trip.self, Seat.self, Guide.self, Tour.self, Flight.self, Invoice.self, Letter.self,
    ]
  )

  @Test func defaultsAreThoseOfTheTypes() throws {
    let before = Date()
    let trip = Trip()
    let after = Date()
    trip.isSelected = true
    try tours.saveAndWait(entity: trip)
    let found = try #require(try tours.fetchObject(ofType: Trip.self, forPrimaryKey: trip.id))
    #expect(found.title == "" && found.price == 0 && found.rating == nil && found.difficulty == .easy)
    #expect(found.begins >= before && found.begins <= after)
    #expect(found.website == nil && found.labels == [] && !found.isSelected)
    #expect(Trip().id != Trip().id)
  }

  @Test func objectsAreSavedWithWhatTheyHold() throws {
    // Documentation: begin use
    let tour = Tour()
    tour.id = 1
    tour.guide = Guide(value: ["name": "Ana", "languages": ["en", "es"]] as [String: Any])
    tour.start = Place(value: ["name": "Harbour"])
    tour.stops.append(Place(value: ["name": "Tower"]))
    tour.guests["Kim"] = 2
    tour.length = Distance(metres: 4_200)
    tour.preferences.theme = "dark"
    try tours.saveAndWait(entity: tour)

    let guide = try tours.fetchObject(ofType: Guide.self, forPrimaryKey: "Ana")
    print(guide?.tours.count ?? 0)  // 1
    // Documentation: end use
    #expect(guide?.tours.map(\.id) == [1] && guide.map { Set($0.languages) } == ["en", "es"])
    tours.close()
    let found = try #require(try tours.fetchObject(ofType: Tour.self, forPrimaryKey: 1))
    #expect(found.start?.name == "Harbour" && found.stops.map(\.name) == ["Tower"])
    #expect(found.guests["Kim"] == 2 && found.length.metres == 4_200)
    #expect(found.preferences.theme == "dark" && found.preferences.fontSizes == [10, 12])
  }

  @Test func aKeyOfSeveralPropertiesIsAnArray() throws {
    try tours.saveAndWait(entity: Seat(value: ["row": "A", "number": 12, "guest": "Kim"] as [String: Any]))
    // Documentation: begin lookup
    let key: [Any] = ["A", 12]
    let seat = try tours.fetchObject(ofType: Seat.self, forPrimaryKey: key)
    // Documentation: end lookup
    #expect(seat?.guest == "Kim")
  }

  @Test func namesOfTheStoreMayDiffer() throws {
    try tours.saveAndWait(entity: Flight(value: ["number": "FI 1", "leaves": Date()] as [String: Any]))
    #expect(try tours.overview().types.map(\.name).contains("ScheduledFlight"))
    #expect(try tours.objects(Flight.self).filter("departure_time > %@", Date.distantPast).fetchCount() == 1)
  }

  @Test func subclassesAreTypesOfTheirOwn() throws {
    try tours.saveAndWait(entity: Invoice(value: ["total": Decimal(3)]))
    #expect(try tours.count(Invoice.self) == 1 && tours.count(Letter.self) == 0)
  }

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("ModelsAndProperties", as: #filePath) }
}
