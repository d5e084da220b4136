import FiefRealm
import XCTest

class Source: Object {
  @Persisted var number = 0
}

class View: Projection<Source> {
  @Projected(\Source.number) var value
}

@globalActor actor Observing: GlobalActor {
  static let shared = Observing()
}

final class ProjectionActorTests: XCTestCase {
  func testActor() async throws {
    let realm = try await Realm(configuration: .init(inMemoryIdentifier: "actor"))
    let source = try realm.write { realm.create(Source.self) }
    let changed = expectation(description: "change")
    let block = { @Sendable (_: isolated Observing, change: ObjectChange<View>) in
      guard case .change(_, let properties) = change else { return XCTFail("\(change)") }
      XCTAssertEqual(properties[0].oldValue as? Int, 0)
      changed.fulfill()
    }
    let token = await View(projecting: source).observe(keyPaths: ["value"], on: Observing.shared, block)
    try await realm.asyncWrite { source.number = 1 }
    await fulfillment(of: [changed], timeout: 1)
    token.invalidate()
  }
}
