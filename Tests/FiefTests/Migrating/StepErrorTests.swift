import Fief
import Foundation
import Testing

/// Errors of the library that are thrown in a step, or because of one, say which step that was.
@Suite("Errors of migration steps")
struct StepErrorTests {
  enum Before {
    final class Ticket: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var title: String
    }
  }
  enum After {
    final class Ticket: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var title: String
      @Persisted var note: String
    }
    final class Other: Object {
      @Persisted(primaryKey: true) var id: Int
    }
  }
  enum Unique {
    final class Ticket: Object {
      @Persisted(primaryKey: true) var title: String
      @Persisted var id: Int
    }
  }

  private enum Throwing: MigrationStep {
    static let version: UInt64 = 2
    static let name = "notes"
    static let description = "Throws an error of the library."
    static func migrate(_ migration: Migration) throws {
      throw FiefError(.invalidValue, "A ticket has no note.", type: "Ticket")
    }
  }
  private enum Failing: MigrationStep {
    static let version: UInt64 = 2
    static let name = "wrong type"
    static let description = "Asks for a type that there is not."
    static func migrate(_ migration: Migration) {
      migration.deleteData(forType: "Tikcet"); migration.create("Tikcet")
    }
  }
  private enum Quiet: MigrationStep {
    static let version: UInt64 = 2
    static let name = "new keys"
    static let description = "Gives all tickets the same key."
  }

  private func failure(_ steps: [any MigrationStep.Type], _ types: [Object.Type]) throws -> FiefError {
    var result: FiefError?
    try MigratingStore.withDirectory { directory in
      try MigratingStore(directory, version: 1, [Before.Ticket.self]).opened { store in
        try store.write { tx in
          for id in 0..<3 { try tx.create(Before.Ticket.self, value: ["id": id, "title": "same"]) }
        }
      }
      var store = MigratingStore(directory, version: 2, types)
      store.migrationPlan = MigrationPlan(steps)
      result = try store.failure()
      try MigratingStore(directory, version: 1, [Before.Ticket.self]).opened { (store) throws in
        #expect(try store.all(Before.Ticket.self).count == 3)
      }
    }
    return try #require(result)
  }

  @Test("A thrown FiefError names the step")
  func thrown() throws {
    let error = try failure([Throwing.self], [After.Ticket.self])
    #expect(error.code == .invalidValue && error.type == "Ticket")
    #expect(error.details == ["step 2: notes"])
  }

  @Test("An error that a call of the step has left names the step")
  func left() throws {
    let error = try failure([Failing.self], [After.Ticket.self, After.Other.self])
    #expect(error.code == .unknownType)
    #expect(error.details.filter { $0 == "step 2: wrong type" }.count == 1)
  }

  @Test("What is found wrong at the end of the steps names them")
  func atTheEnd() throws {
    let error = try failure([Quiet.self], [Unique.Ticket.self])
    #expect(error.code == .duplicatePrimaryKey)
    #expect(error.details.first == "step 2: new keys")
  }
}
