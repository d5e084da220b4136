import FiefRealm
import XCTest

final class GeoTests: XCTestCase {
  func testPolygon() {
    let corner = GeoPoint(latitude: 0, longitude: 0)!
    XCTAssertNil(GeoPolygon(outerRing: [corner]))
    XCTAssertNil(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 2)]))
    let polygon = GeoPolygon(
      outerRing: [corner, GeoPoint(latitude: 4, longitude: 0)!, GeoPoint(latitude: 4, longitude: 4)!, corner],
      holes: [
        [
          GeoPoint(latitude: 1, longitude: 1)!, GeoPoint(latitude: 2, longitude: 1)!,
          GeoPoint(latitude: 2, longitude: 2)!, GeoPoint(latitude: 1, longitude: 1)!,
        ]
      ])
    XCTAssertNotNil(polygon)
    XCTAssertEqual(Distance.miles(1)!.asKilometers(), 1.609, accuracy: 0.001)
    XCTAssertNil(GeoCircle(center: corner, radius: Distance.degrees(-1) ?? .radians(1)!))
  }
}
