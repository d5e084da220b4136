import Fief
import FiefCommands
import Foundation
import Testing

/// A rehearsal of a migration that changes the key of a type.
@Suite("Rehearsals of changed keys") struct RunnerRekeyedTests {
  enum Rekeyed {
    final class Kennel: Object {
      @Persisted(primaryKey: true) var name: String
      @Persisted var hounds: List<Hound>
    }
    final class Hound: Object {
      @Persisted var id: Int
      @Persisted(primaryKey: true) var name: String
      @Persisted var weight: Int32
    }
  }

  private struct Repository: DatabaseConfigurable {
    let directory: String?
    var schemaName: String? { "a" }
    var schemaVersion: UInt64? { 2 }
    var objectTypes: [Object.Type]? { [Rekeyed.Kennel.self, Rekeyed.Hound.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
    var realmMemoryType: RealmMemoryType { .inStorage }
  }

  @Test("The type is not lost, and a property of it that was removed is")
  func rekeyed() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let text = fixture.run([Repository(directory: fixture.directory)], "plan", "--rehearse").text
    #expect(text.contains("The migrated copy is intact."), "\(text)")
    #expect(!text.contains("Hound is gone") && !text.contains("Hound.name is gone"), "\(text)")
    #expect(text.contains("Hound.nick was removed: the values of 20 objects are lost."), "\(text)")
  }
}
