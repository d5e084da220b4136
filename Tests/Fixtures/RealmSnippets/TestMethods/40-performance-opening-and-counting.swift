import FiefRealm
import XCTest

class Number: Object {
  @Persisted var value = 0
}

final class OpeningPerformanceTests: XCTestCase {
  func testOpening() {
    measure {
      for _ in 0..<50 { _ = try! Realm() }
    }
  }

  func testEnumerate() {
    let realm = try! Realm()
    measureMetrics([.wallClockTime], automaticallyStartMeasuring: false) {
      let numbers = realm.objects(Number.self).where { $0.value > 10 }
      self.startMeasuring()
      for number in numbers { _ = number.value }
      self.stopMeasuring()
    }
  }
}
