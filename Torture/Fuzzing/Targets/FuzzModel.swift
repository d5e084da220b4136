import Fief
import Foundation

/// A property of every kind.
final class FuzzedThing: Object, Codable {
  @Persisted(primaryKey: true) var id = ""
  @Persisted(indexed: true) var name = ""
  @Persisted var flag: Bool
  @Persisted var tiny: Int8
  @Persisted var count: Int?
  @Persisted var half: Float
  @Persisted var width: Double?
  @Persisted var bytes: Data?
  @Persisted(indexed: true) var born: Date?
  @Persisted var uuid: UUID?
  @Persisted var number: ObjectId?
  @Persisted var price: Decimal?
  @Persisted var any: AnyRealmValue
  @Persisted var part: FuzzedPart?
  @Persisted var parts: List<FuzzedPart>
  @Persisted var best: FuzzedThing?
  @Persisted var things: List<FuzzedThing>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Int?>
  @Persisted(originProperty: "best") var friends: LinkingObjects<FuzzedThing>

  enum CodingKeys: String, CodingKey {
    case id, name, flag, tiny, count, half, width, bytes, born, uuid, number, price, any, part, parts, tags,
      scores
  }
}

/// A part with parts.
final class FuzzedPart: EmbeddedObject, Codable {
  @Persisted var text = ""
  @Persisted var part: FuzzedPart?
  @Persisted var numbers: List<Int>
}

/// An object without a primary key.
final class FuzzedNote: Object {
  @Persisted var text: String?
  @Persisted var thing: FuzzedThing?
}

/// A store of these classes.
struct FuzzedRepository: DatabaseConfigurable, Sendable {
  let name: String
  let realmMemoryType: RealmMemoryType

  var schemaName: String? { name }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [FuzzedThing.self, FuzzedNote.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [FuzzedPart.self] }
  var migrationBlock: MigrationBlock? { nil }
  var directory: String? { FuzzPlace.directory }
}
