import Fief
import Foundation

/// Columns of every kind that an index can have, in indexes of one and of several columns.
final class PlannedItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var number = 0
  @Persisted(indexed: true) var small: Int8?
  @Persisted(indexed: true) var double = 0.0
  @Persisted(indexed: true) var float: Float?
  @Persisted(indexed: true) var date = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted(indexed: true) var amount: Decimal?
  @Persisted(indexed: true) var flag = false
  @Persisted(indexed: true) var text: String?
  @Persisted(index: .caseInsensitive) var name = ""
  @Persisted(indexed: true) var bytes: Data?
  @Persisted(indexed: true) var any: AnyRealmValue
  @Persisted var plain = 0
  @Persisted var friend: PlannedItem?
  @Persisted var friends: List<PlannedItem>

  override class func indexes() -> [IndexDefinition] {
    [
      IndexDefinition("number", "text"), IndexDefinition("text", "double"), IndexDefinition("date", "id"),
      IndexDefinition("flag", "number", "id"),
      IndexDefinition("name", "number").caseInsensitive, IndexDefinition("small", "flag", "text"),
      .unique("number", "id"),
    ]
  }
}

/// Objects whose key has two parts.
final class PlannedSeat: Object {
  @Persisted(primaryKey: true) var row = ""
  @Persisted(primaryKey: true) var place = 0
  @Persisted(indexed: true) var price = 0
  @Persisted var note: String?

  override class func indexes() -> [IndexDefinition] {
    [IndexDefinition("price", "row"), IndexDefinition("note", "price")]
  }
}

struct PlannedRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? = "planned"
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [PlannedItem.self, PlannedSeat.self, PlannedText.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }

  init(_ directory: TemporaryDirectory, inMemory: Bool) {
    realmMemoryType = inMemory ? .inMemory(identifier: UUID().uuidString) : .inStorage
    self.directory = inMemory ? nil : directory.path
  }
}

/// Objects with words.
final class PlannedText: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var body: String?
  @Persisted var note = ""
  @Persisted var rank = 0

  override class func indexes() -> [IndexDefinition] { [.fullText("title"), .fullText("body", "note")] }
}
