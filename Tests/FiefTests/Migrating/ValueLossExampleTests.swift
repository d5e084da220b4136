import Fief
import Foundation
import Testing

@testable import FiefCore

private enum Before {
  final class LossTicket: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var a: Data?
    @Persisted var b = "text"
  }
}

private enum After {
  final class LossTicket: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var a: Int?
    @Persisted var b = 0
  }
}

/// The example in the error about values that would be lost.
@Suite struct ValueLossExampleTests {
  @Test func itNamesAPropertyThatHasValues() throws {
    try MigratingStore.withDirectory { directory in
      try MigratingStore(directory, version: 1, [Before.LossTicket.self]).opened { store in
        try store.write { try $0.add(Before.LossTicket()) }
      }
      let error = try MigratingStore(directory, version: 2, [After.LossTicket.self]).failure()
      let details = error.details + ((error.underlying as? FiefError)?.details ?? [])
      #expect(details.contains { $0.contains("migration.discard(\"LossTicket.b\")") })
      #expect(!details.contains { $0.contains("LossTicket.a") })
      let discarding = MigratingStore(directory, version: 2, [After.LossTicket.self]) { migration, _ in
        migration.discard("LossTicket.b")
      }
      try discarding.opened { store in
        let stored = try store.all(After.LossTicket.self)
        #expect(stored.map(\.b) == [0])
      }
    }
  }
}
