import FiefRealm
import XCTest

class Switch: Object {
  @Persisted var on = false
}

final class OtherThreadTests: XCTestCase {
  func testThread() throws {
    let object = try Realm().write {
      try Realm().create(Switch.self, value: ["on": true])
    }
    let frozen = object.freeze()
    let reference = ThreadSafeReference(to: frozen.thaw()!)
    let done = expectation(description: "written")
    Thread.detachNewThread {
      let resolved = try! Realm().resolve(reference)!
      try! Realm().write({ resolved.on = false })
      done.fulfill()
    }
    wait(for: [done], timeout: 2)
    try Realm().refresh()
    XCTAssertFalse(frozen.thaw()!.on)
  }
}
