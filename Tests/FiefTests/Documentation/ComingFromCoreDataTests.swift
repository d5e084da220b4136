import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *Coming from Core Data and SwiftData*.
@Suite(.freshStores) struct ComingFromCoreDataTests {
  // Documentation: begin model
  final class Trip: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var title = ""
    @Persisted(originProperty: "trip") var stays: LinkingObjects<Stay>

    override class func relationships() -> [Relationship] {
      [Relationship(\Trip.stays, deleteRule: .cascade)]
    }
  }

  final class Stay: Object {
    @Persisted var place = ""
    @Persisted var nights = 1
    @Persisted var trip: Trip?
  }

  struct TripRepository: DatabaseConfigurable {
    let schemaName: String? = "trips"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Trip.self, Stay.self]
  }
  // Documentation: end model

  @Test func thePortRuns() async throws {
    // Documentation: begin use
    let trips = TripRepository()
    let trip = Trip(value: ["title": "Rome"])
    try await trips.save(entities: [
      trip, Stay(value: ["place": "Testaccio", "nights": 3, "trip": trip] as [String: Any]),
    ])

    let found = try trips.objects(Trip.self)
      .filter(#Predicate<Trip> { $0.title.contains("Rom") })
      .sorted(by: SortDescriptor(\.title))
    for trip in try found.all() { print(trip.title, trip.stays.sum(of: \.nights)) }

    try await trips.delete(entity: trip)  // Its stays go with it.
    // Documentation: end use
    #expect(try trips.count(Trip.self) == 0 && trips.count(Stay.self) == 0)
  }

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("ComingFromCoreData", as: #filePath) }
}
