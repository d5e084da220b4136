import Fief
import Foundation
import Testing

/// A node with a relationship of every rule, to objects of its own type.
final class RuleNode: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var number = 0
  @Persisted var cascadeOne: RuleNode?
  @Persisted var cascadeMany: List<RuleNode>
  @Persisted var plainOne: RuleNode?
  @Persisted var plainMany: MutableSet<RuleNode>
  @Persisted var plainMap: Map<String, RuleNode?>
  @Persisted var denyOne: RuleNode?
  @Persisted var looseOne: RuleNode?
  @Persisted var looseMany: List<RuleNode>
  @Persisted var parent: RuleNode?
  @Persisted var keeper: RuleNode?
  @Persisted var few: List<RuleNode>
  @Persisted(originProperty: "looseOne") var looseOf: LinkingObjects<RuleNode>
  @Persisted(originProperty: "looseMany") var looseManyOf: LinkingObjects<RuleNode>
  @Persisted(originProperty: "parent") var children: LinkingObjects<RuleNode>
  @Persisted(originProperty: "keeper") var kept: LinkingObjects<RuleNode>
  @Persisted(originProperty: "owner") var leaves: LinkingObjects<RuleLeaf>

  override class func relationships() -> [Relationship] {
    [
      Relationship("cascadeOne", deleteRule: .cascade),
      Relationship(\RuleNode.cascadeMany, deleteRule: .cascade),
      Relationship("denyOne", deleteRule: .deny), Relationship("looseOf", deleteRule: .noAction),
      Relationship(\RuleNode.looseManyOf, deleteRule: .noAction),
      Relationship("children", deleteRule: .cascade), Relationship(\RuleNode.kept, deleteRule: .deny),
      Relationship("few", maximum: 2), Relationship("leaves", maximum: 3),
    ]
  }

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

/// A leaf that needs its owner.
final class RuleLeaf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var owner: RuleNode?
  @Persisted var marks: List<RuleNode>

  override class func relationships() -> [Relationship] {
    [
      Relationship("owner", isRequired: true),
      Relationship(\RuleLeaf.marks, isRequired: true, minimum: 1, maximum: 4),
    ]
  }

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

struct RuleRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? { "rules" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? = [RuleNode.self, RuleLeaf.self]
  var embeddedObjectTypes: [EmbeddedObject.Type]? = []
  var migrationBlock: MigrationBlock? { nil }
  var storeOptions = StoreOptions()

  /// Calls `body` with a store in memory and with one on disk; both are checked in the end.
  static func forBoth(
    _ types: [Object.Type],
    embedded: [EmbeddedObject.Type] = [],
    _ body: (RuleRepository) throws -> Void
  ) throws {
    let directory = try TemporaryDirectory()
    let repositories = [
      RuleRepository(realmMemoryType: .inMemory(identifier: UUID().uuidString), objectTypes: types),
      RuleRepository(realmMemoryType: .inStorage, directory: directory.path, objectTypes: types),
    ]
    for var repository in repositories {
      repository.embeddedObjectTypes = embedded
      if let error = repository.store().openingError { throw error }
      try body(repository)
      repository.closeChecked()
    }
  }

  func saveNow(_ objects: [Object], _ policy: UpdatePolicy = .error) throws {
    try saveAndWait(entities: objects, update: policy)
  }

  func deleteNow(_ objects: [Object]) throws {
    try deleteAndWait(entities: objects)
  }

  func deleteAllNow(_ type: Object.Type) throws {
    try deleteAllAndWait(deleteObjClass: type)
  }
}
