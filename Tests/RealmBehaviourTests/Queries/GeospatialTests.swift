import FiefRealm
import FiefTesting
import Foundation
import Testing

final class QueriedLocation: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>

  convenience init(_ latitude: Double, _ longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }
}

final class QueriedShapelessPlace: EmbeddedObject {
  @Persisted var coordinates: List<Double>
}

final class QueriedTraveller: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var location: QueriedLocation?
  @Persisted var visited: List<QueriedLocation>
  @Persisted var place: QueriedShapelessPlace?
}

/// Queries for points in regions of the earth.
struct GeospatialTests {
  private func withTravellers(_ kind: StoreKind, _ body: (Store, Results<QueriedTraveller>) throws -> Void)
    throws
  {
    try withFreshStores(kind) {
      let repository = TestRepository(objectTypes: [QueriedTraveller.self])
      let store = repository.store()
      try store.write { transaction in
        for (name, point) in [
          ("New York", (40.7128, -74.0060)), ("Copenhagen", (55.6761, 12.5683)),
          ("Roskilde", (55.6280, 12.0826)),
          ("South", (-76, -76)),
        ] {
          let traveller = QueriedTraveller()
          traveller.name = name
          traveller.location = QueriedLocation(point.0, point.1)
          traveller.visited.append(objectsIn: [QueriedLocation(0, 0), QueriedLocation(point.0, point.1)])
          traveller.place = QueriedShapelessPlace()
          try transaction.add(traveller)
        }
        let nowhere = QueriedTraveller()
        nowhere.name = "nowhere"
        try transaction.add(nowhere)
      }
      try body(store, store.objects(QueriedTraveller.self).sorted(by: \.name))
      #expect(try repository.check().problems == [])
    }
  }

  private static let around = [(50.0, -80.0), (62, 22), (22, 22), (-80, -80), (50, -80)]
  private static let newYork = [(40.7129, -75.0), (40.7129, -74), (40.7126, -74), (40.7129, -75)]
  private static let southern = [(-77.0, -77.0), (-77, -75), (-75, -75), (-75, -77), (-77, -77)]

  @Test(arguments: StoreKind.allCases) func pointsAreFoundInRegions(_ kind: StoreKind) throws {
    try withTravellers(kind) { _, travellers in
      func expect(
        _ shape: (some GeoShape)?,
        _ names: [String],
        sourceLocation: SourceLocation = #_sourceLocation
      ) throws {
        let shape = try #require(shape, sourceLocation: sourceLocation)
        let typed = try travellers.where { $0.location.geoWithin(shape) }.all()
        let text = try travellers.query("location IN %@", arguments: [shape]).all()
        let other = try travellers.query("location GEOWITHIN %@", arguments: [shape]).all()
        let visited = try travellers.where { $0.visited.geoWithin(shape) }.all()
        let any = try travellers.query("ANY visited IN %@", arguments: [shape]).all()
        for found in [typed, text, other] {
          #expect(found.map(\.name) == names, sourceLocation: sourceLocation)
        }
        #expect(visited.map(\.name) == any.map(\.name) && Set(visited.map(\.name)).isSuperset(of: names))
      }
      func distance(_ distance: Distance?) throws -> Distance { try #require(distance) }
      try expect(GeoBox(bottomLeft: (55.6281, 12.0826), topRight: (55.6762, 12.5684)), ["Copenhagen"])
      try expect(GeoBox(bottomLeft: (0, -75), topRight: (60, 15)), ["Copenhagen", "New York", "Roskilde"])
      try expect(GeoBox(bottomLeft: (-90, 170), topRight: (90, -60)), ["New York", "South"])
      try expect(GeoPolygon(outerRing: [(55, 12), (55.67, 12.5), (55.67, 11.5), (55, 12)]), ["Roskilde"])
      // Sides are the shortest lines on the sphere: New York is north of the line on a map.
      let triangle = [
        (40.0096192, -75.5175781), (60, 20), (20, 20), (-75.5175781, -75.5175781), (40.0096192, -75.5175781),
      ]
      try expect(GeoPolygon(outerRing: triangle), ["Copenhagen", "New York", "Roskilde"])
      try expect(GeoPolygon(outerRing: triangle.reversed()), ["Copenhagen", "New York", "Roskilde"])
      try expect(
        GeoPolygon(outerRing: Self.around, holes: [Self.newYork]),
        ["Copenhagen", "Roskilde", "South"]
      )
      try expect(
        GeoPolygon(outerRing: Self.around, holes: Self.newYork, Self.southern),
        ["Copenhagen", "Roskilde"]
      )
      try expect(GeoCircle(center: (55.67, 12.56), radiusInRadians: 0.001), ["Copenhagen"])
      try expect(GeoCircle(center: (55.67, 12.56), radius: distance(.kilometers(10))), ["Copenhagen"])
      try expect(GeoCircle(center: (55.67, 12.56), radius: distance(.miles(62))), ["Copenhagen", "Roskilde"])
      try expect(
        GeoCircle(center: (45, -20), radius: distance(.kilometers(5000))),
        ["Copenhagen", "New York", "Roskilde"]
      )
    }
  }

  @Test(arguments: StoreKind.allCases) func textsHaveRegions(_ kind: StoreKind) throws {
    try withTravellers(kind) { _, travellers in
      func names(_ text: String) throws -> [String] { try travellers.query(text).all().map(\.name) }
      let inBox = try names("location GEOWITHIN geoBox([12.0826, 55.6281], [12.5684, 55.6762])")
      #expect(inBox == ["Copenhagen"])
      let inCircle = try names("location geoWithin geoCircle([-76, -76], 0.1) OR name == 'nowhere'")
      #expect(inCircle == ["South", "nowhere"])
      let inPolygon = try names(
        "NOT location GEOWITHIN geoPolygon({[12, 55], [12.5, 55.67], [11.5, 55.67], [12, 55]})"
      )
      #expect(inPolygon == ["Copenhagen", "New York", "South", "nowhere"])
      let near = try names("ANY visited GEOWITHIN geoCircle([0, 0], 0)")
      #expect(near.count == 4)
      for wrong in [
        "location GEOWITHIN geoBox([12, 55])", "location GEOWITHIN geoBox([200, 55], [1, 1])",
        "location GEOWITHIN 3",
        "location GEOWITHIN geoCircle([0, 0], -1)", "location == geoCircle([0, 0], 1)",
      ] {
        #expect(throws: FiefError.self) { try travellers.query(wrong) }
      }
    }
  }

  @Test func onlyPointsAreFound() throws {
    try withTravellers(.inMemory) { store, travellers in
      let world = try #require(GeoBox(bottomLeft: (-90, -180), topRight: (90, 180)))
      #expect(travellers.where { $0.location.geoWithin(world) }.count == 4)
      try store.write { transaction in
        for traveller in transaction.objects(QueriedTraveller.self) { traveller.location?.type = "Polygon" }
      }
      #expect(travellers.where { $0.location.geoWithin(world) }.isEmpty)
      try store.write { transaction in
        for traveller in transaction.objects(QueriedTraveller.self) {
          traveller.location?.type = "Point"
          traveller.location?.coordinates.removeAll()
        }
      }
      #expect(travellers.where { $0.location.geoWithin(world) }.isEmpty)
    }
  }

  @Test func whatIsNoPointOrNoRegionIsAnError() throws {
    try withTravellers(.inMemory) { _, travellers in
      let circle = try #require(GeoCircle(center: (0, 0), radiusInRadians: 10))
      #expect(throws: FiefError.self) { try travellers.where { $0.place.geoWithin(circle) }.all() }
      #expect(throws: FiefError.self) { try travellers.query("place IN %@", arguments: [circle]) }
      #expect(throws: FiefError.self) { try travellers.query("name IN %@", arguments: [circle]) }
      let square = [(0.0, 0.0), (0, 1), (1, 1), (1, 0), (0, 0)]
      for (ring, holes) in [
        (square, [[(2.0, 2.0), (2, 3), (3, 3), (3, 2), (2, 2)]]),
        (square, [[(0, 0.1), (0.5, 0.1), (0.5, 0.5), (0, 0.5), (0, 0.1)]]),
        (square, [[(0.25, 0.5), (0.75, 0.5), (0.75, 1.5), (0.25, 1.5), (0.25, 0.5)]]),
        (square, [square]),
        ([(50, -50), (55, 55), (-50, 50), (70, -25), (50, -50)], []),
        (
          Self.around,
          [
            [(45, -77), (61, 21), (21, 21), (-77, -77), (45, -77)],
            [(40, -75), (60, 20), (20, 20), (-75, -75), (40, -75)],
          ]
        ),
      ] {
        let polygon = try #require(GeoPolygon(outerRing: ring, holes: holes))
        let error = #expect(throws: FiefError.self) {
          try travellers.where { $0.location.geoWithin(polygon) }.all()
        }
        #expect(error?.code == .invalidQuery)
        #expect(throws: FiefError.self) { try travellers.query("location IN %@", arguments: [polygon]) }
      }
    }
  }

  @Test func shapesThatAreNoneAreNil() {
    for (latitude, longitude) in [
      (90.000_000_001, 0.0), (-91, 0), (0, 180.000_000_001), (.nan, 0), (0, .nan),
    ] {
      #expect(GeoPoint(latitude: latitude, longitude: longitude) == nil)
    }
    #expect(GeoPoint(latitude: 90, longitude: -180, altitude: 500)?.altitude == 500)
    #expect(GeoPoint(latitude: 90, longitude: 0, altitude: -1) == nil)
    #expect(GeoPoint(latitude: 90, longitude: 0, altitude: .nan) == nil)
    #expect(GeoBox(bottomLeft: (-91, -181), topRight: (91, 181)) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (3, 3)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (0, 0)], holes: [[(0, 0)]]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (0, 0)])?.holes == [])
    #expect(GeoCircle(center: (0, 70), radiusInRadians: -500) == nil)
    #expect(GeoCircle(center: (0, 70), radiusInRadians: .nan) == nil)
    for distance in [Distance.radians(-1), .kilometers(-1), .miles(-1), .degrees(-1), .radians(.nan)] {
      #expect(distance == nil)
    }
  }

  @Test func distancesAreConverted() throws {
    let kilometers = try #require(Distance.kilometers(40_075))
    #expect(abs(kilometers.radians - 2 * .pi) < 0.001 && abs(kilometers.asKilometers() - 40_075) < 0.001)
    let miles = try #require(Distance.miles(24_901))
    #expect(abs(miles.radians - 2 * .pi) < 0.001 && abs(miles.asMiles() - 24_901) < 0.001)
    let degrees = try #require(Distance.degrees(180))
    #expect(degrees.radians == .pi && degrees.asDegrees() == 180)
    #expect(Distance.kilometers(1) == Distance.kilometers(1) && Distance.miles(1) != Distance.miles(2))
    #expect(
      GeoCircle(center: (55, 12), radiusInRadians: 1) == GeoCircle(center: (55, 12), radiusInRadians: 1)
    )
    #expect(
      GeoCircle(center: (55, 12), radiusInRadians: 1) != GeoCircle(center: (55, 13), radiusInRadians: 1)
    )
    #expect(GeoBox(bottomLeft: (1, 1), topRight: (0, 0)) != GeoBox(bottomLeft: (0, 0), topRight: (1, 1)))
  }
}
