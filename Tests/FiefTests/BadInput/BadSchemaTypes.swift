import Fief

/// Keeps classes that no store takes from being among the types of the process: generic ones are not.
enum Unlisted {}

final class BadTwinOne<Tag>: Object {
  @Persisted(primaryKey: true) var id = 0
  override class func className() -> String { "BadTwin" }
}

final class BadTwinTwo<Tag>: Object {
  @Persisted(primaryKey: true) var id = ""
  override class func className() -> String { "BadTwin" }
}

final class BadKey<Tag>: Object {
  @Persisted(primaryKey: true) var id = 0.5
  @Persisted(indexed: true) var tags: List<String>
  override class func className() -> String { "BadKey" }
}

final class BadLinks<Tag>: Object {
  @Persisted var parts: MutableSet<BadPart<Tag>>
  @Persisted var missing: BadMissing<Tag>?
  @Persisted(originProperty: "nothing") var inverse: LinkingObjects<BadKey<Tag>>
  @Persisted(originProperty: "tags") var noLink: LinkingObjects<BadKey<Tag>>
  @Persisted var first = 0
  @Persisted var second = 0
  override class func className() -> String { "BadLinks" }
  override class func propertiesMapping() -> [String: String] { ["first": "second", "third": "3"] }
}

final class BadPart<Tag>: EmbeddedObject {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name: String
  override class func className() -> String { "BadPart" }
}

final class BadMissing<Tag>: Object {
  @Persisted var name: String
  override class func className() -> String { "BadMissing" }
}

/// The books as another version of the application declares them.
final class OtherBook<Tag>: Object {
  @Persisted(primaryKey: true) var isbn: String
  @Persisted var title: String
  @Persisted var pages: String
  @Persisted var language: String?
  override class func className() -> String { "WriteBook" }
}

struct BadRepository: DatabaseConfigurable {
  var realmMemoryType = RealmMemoryType.inMemory(identifier: nil)
  var schemaName: String? = "bad"
  var schemaVersion: UInt64? = 1
  var objectTypes: [Object.Type]? = [WriteBook.self, WriteAuthor.self]
  var embeddedObjectTypes: [EmbeddedObject.Type]? = [WriteCover.self]
  var migrationBlock: MigrationBlock?
  var directory: String?
}
