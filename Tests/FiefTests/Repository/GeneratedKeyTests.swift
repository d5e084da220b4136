import Fief
import Foundation
import Testing

/// JSON objects without the key of their class, where each new object has one.
@Suite struct GeneratedKeyTests {
  final class Note: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var text = ""
    @Persisted var tags: List<Tag>
  }
  final class Tag: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name = ""
  }
  final class Fixed: Object {
    static let constant = UUID(uuidString: "F1EF0000-0000-4000-8000-000000000001") ?? UUID()
    @Persisted(primaryKey: true) var id = Fixed.constant
  }

  private func store(_ inMemory: Bool) throws -> (Generated, TemporaryDirectory) {
    let directory = try TemporaryDirectory()
    return (
      Generated(
        realmMemoryType: inMemory ? .inMemory(identifier: directory.path) : .inStorage,
        directory: inMemory ? nil : directory.path
      ), directory
    )
  }

  private struct Generated: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType
    var directory: String?
    var schemaName: String? { "generated" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [Note.self, Tag.self, Fixed.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  @Test(arguments: [true, false]) func theyGetOne(inMemory: Bool) async throws {
    let (repository, directory) = try store(inMemory)
    defer { repository.closeChecked() }
    let document = Data(#"[{"text": "a", "tags": [{"name": "x"}, {"name": "y"}]}, {"text": "b"}]"#.utf8)
    for _ in 0..<2 { try await repository.save(saveClass: Note.self, jsonData: document, update: false) }
    try repository.read { snapshot in
      let notes = snapshot.objects(Note.self).sorted(byKeyPath: "text")
      #expect(notes.map(\.text) == ["a", "a", "b", "b"])
      #expect(Set(notes.map(\.id)).count == 4)
      #expect(notes.first?.tags.map(\.name) == ["x", "y"])
      #expect(snapshot.objects(Tag.self).count == 4)
    }
    withExtendedLifetime(directory) {}
  }

  @Test func aKeyThatIsAlwaysTheSameHasToBeThere() async throws {
    let (repository, directory) = try store(true)
    defer { repository.closeChecked() }
    let error = await #expect(throws: FiefError.self) {
      try await repository.save(saveClass: Fixed.self, jsonData: Data("{}".utf8), update: false)
    }
    #expect(error?.code == .missingValue)
    withExtendedLifetime(directory) {}
  }
}
