import Fief
import Foundation
import Testing

/// A class with an index of every kind.
final class IndexedMember: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(index: .unique) var email: String?
  @Persisted(index: [.unique, .caseInsensitive]) var nick: String?
  @Persisted(indexed: true) var age = 0
  @Persisted(index: .caseInsensitive) var name = ""
  @Persisted(index: [.plain, .fullText]) var about = ""
  @Persisted var team: String?
  @Persisted var number = 0
  @Persisted var country = ""
  @Persisted var city: String?
  @Persisted var title: String?
  @Persisted var body = ""
  @Persisted(index: .unique) var factor: Double?
  @Persisted(index: .fullText) var note: String?

  override class func indexes() -> [IndexDefinition] {
    [
      IndexDefinition("country", "city", "age"), .unique(\IndexedMember.team, \IndexedMember.number),
      .fullText("title", "body"), IndexDefinition(\IndexedMember.city).caseInsensitive,
      IndexDefinition("country", "name").caseInsensitive,
    ]
  }

  convenience init(_ id: Int, _ change: (IndexedMember) -> Void = { _ in }) {
    self.init()
    self.id = id
    change(self)
  }
}

/// A store with one class.
struct IndexedRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? { "members" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [IndexedMember.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }

  /// Calls a closure with a store in memory and with one on disk, and checks both.
  static func forBoth(_ body: (IndexedRepository) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let repositories = [
      IndexedRepository(realmMemoryType: .inMemory(identifier: UUID().uuidString)),
      IndexedRepository(realmMemoryType: .inStorage, directory: directory.path),
    ]
    for repository in repositories {
      try body(repository)
      repository.closeChecked()
    }
  }

  func saveNow(_ members: [IndexedMember], _ policy: UpdatePolicy = .error) throws {
    try saveAndWait(entities: members, update: policy)
  }

  func member(_ id: Int) -> IndexedMember? { object(ofType: IndexedMember.self, forPrimaryKey: id) }

  var ids: [Int] { queryAll(returningClass: IndexedMember.self)?.map(\.id) ?? [] }
}
