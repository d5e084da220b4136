import FiefRealm
import XCTest

final class GeoTests: XCTestCase {
  func testBox() {
    XCTAssertNotNil(
      GeoBox(bottomLeft: GeoPoint(latitude: -10, longitude: -20)!, topRight: GeoPoint(latitude: 10, longitude: 20)!))
    XCTAssertNotNil(GeoBox(bottomLeft: (-10, -20), topRight: (10, 20)))
    XCTAssertNil(GeoBox(bottomLeft: (-95, -190), topRight: (95, 190)))
    XCTAssertNil(GeoPoint(latitude: 91, longitude: 0))
    XCTAssertNotNil(GeoPoint(latitude: 1, longitude: 2, altitude: 30))
  }
}
