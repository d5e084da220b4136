import Fief
import FiefTesting
import Foundation
import Testing

/// Failures that nothing is thrown for fail the test in which they happen.
@Suite struct ExpectedEventsTests {
  private func failInSilence(_ repository: some DatabaseConfigurable) {
    #expect(repository.queryAll(returningClass: ShopDog.self)?.filter("nmae = 'Rex'").count == 0)
  }

  @Test func aFailureFailsTheTest() throws {
    try withKnownIssue {
      try withFreshStores { failInSilence(ShopRepository()) }
    } matching: { issue in
      issue.comments.contains { "\($0)".contains("reported but not thrown") && "\($0)".contains("nmae") }
    }
    try withKnownIssue {
      let fixture = try StoreFixture(ShopRepository(), .onDisk)
      failInSilence(fixture)
      fixture.end()
    } matching: { issue in
      issue.comments.contains { "\($0)".contains("nmae") }
    }
  }

  @Test func aFailureOnAnotherThreadFailsTheTest() async throws {
    try await withKnownIssue {
      try await withFreshStores {
        let store = ShopRepository().store()
        await Task.detached { _ = store.objects(ShopDog.self).filter("nmae = 'Rex'").count }.value
      }
    } matching: { issue in
      issue.comments.contains { "\($0)".contains("nmae") }
    }
  }

  @Test(.freshStores) func anExpectedFailureDoesNot() async throws {
    let events = withExpectedEvents { failInSilence(ShopRepository()) }
    #expect(events.map(\.failure?.code) == [.unknownProperty])
    let store = ShopRepository().store()
    let others = await withExpectedEvents({ $0.failure?.code == .unknownProperty }) {
      await Task.detached { _ = store.objects(ShopDog.self).filter("nmae = 'Rex'").count }.value
    }
    #expect(others.count == 1)
    let fixture = try StoreFixture(ShopRepository())
    withExpectedEvents { failInSilence(fixture) }
  }

  @Test(.freshStores) func anExpectationThatIsNotMetFailsTheTest() {
    withKnownIssue { withExpectedEvents { _ = ShopRepository().queryAll(returningClass: ShopDog.self) } }
  }

  @Test(.freshStores, .allowsFailureEvents) func aTestMayAllowThemAll() { failInSilence(ShopRepository()) }

  @Test(.freshStores) func whatThrowsIsNoEvent() {
    #expect(throws: FiefError.self) {
      try ShopRepository().objects(ShopDog.self).filter("nmae = 'Rex'").all()
    }
  }
}
