import Fief
import FiefTesting
import Testing

/// An empty answer never stands for a store that is closed.
@Suite struct ClosedStoreTests {
  final class ClosedBook: Object {
    @Persisted(primaryKey: true) var isbn = ""
    @Persisted var title = ""
  }

  private func code(_ body: () throws -> Void) -> FiefError.Code? {
    do { try body() } catch { return (error as? FiefError)?.code }
    return nil
  }

  @Test(arguments: StoreKind.allCases)
  func fetchingFromAClosedStoreIsAnError(_ kind: StoreKind) throws {
    let fixture = try StoreFixture(TestRepository(objectTypes: [ClosedBook.self]), kind)
    try fixture.write { try $0.add(ClosedBook(value: ["isbn": "1", "title": "One"])) }
    let store = fixture.store()
    #expect(try store.fetchObject(ofType: ClosedBook.self, forPrimaryKey: "1")?.title == "One")
    #expect(try store.fetchObject(ofType: ClosedBook.self, forPrimaryKey: "2") == nil)
    #expect(try fixture.check().problems.isEmpty)
    fixture.close()
    #expect(code { _ = try store.fetchObject(ofType: ClosedBook.self, forPrimaryKey: "1") } == .storeClosed)
    #expect(code { _ = try store.fetchIsEmpty() } == .storeClosed)
    #expect(code { _ = try store.objects(ClosedBook.self).all() } == .storeClosed)
    let events = withExpectedEvents {
      #expect(store.object(ofType: ClosedBook.self, forPrimaryKey: "1") == nil)
    }
    #expect(events.map { $0.failure?.code } == [.storeClosed])
    // The repository opens it again.
    #expect(try fixture.check().problems.isEmpty)
  }
}
