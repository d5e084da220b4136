import Testing

@testable import Fief

extension DatabaseConfigurable {
  /// Runs the checker over the store, then closes it: how a test that does not damage its store ends.
  func closeChecked(sourceLocation: SourceLocation = #_sourceLocation) {
    expectWhole(store(), sourceLocation)
    close()
  }
}

/// Expects the checker to find nothing in an open store.
func expectWhole(_ store: Store, _ sourceLocation: SourceLocation = #_sourceLocation) {
  do {
    let core = try store.core()
    let check = try core.read { try StoreChecker(tables: core.tables, transaction: $0).run() }
    #expect(check.problems == [], sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
