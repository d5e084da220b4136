import Fief
import Foundation

/// The classes of a store at two versions: at the second, columns are wider, optional, new or gone.
enum EvaluationBefore {
  final class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var small: Int16 = 0
    @Persisted var maybe: Int8?
    @Persisted var whole: Int32 = 0
    @Persisted var ratio: Float = 0
    @Persisted var weight: Double?
    @Persisted var isOn = false
    @Persisted var name = ""
    @Persisted var nick: String?
    @Persisted var gone: String = "gone"
    @Persisted var when: Date?
    @Persisted var owner: Owner?
    @Persisted var part: Part?
    @Persisted var numbers: List<Int>
    @Persisted var owners: List<Owner>
  }
  final class Owner: Object {
    @Persisted(primaryKey: true) var code = ""
    @Persisted var age: Int?
    @Persisted var boss: Owner?
  }
  final class Part: EmbeddedObject {
    @Persisted var size = 0
    @Persisted var label: String?
  }
  static let types: [Object.Type] = [Item.self, Owner.self]
  static let parts: [EmbeddedObject.Type] = [Part.self]
}

enum EvaluationAfter {
  final class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var small = 0
    @Persisted var maybe: Int?
    @Persisted var whole = 0.0
    @Persisted var ratio: Double?
    @Persisted var weight: Double?
    @Persisted var isOn: Bool?
    @Persisted var name = ""
    @Persisted var nick: String = "nobody"
    @Persisted var when: Date?
    @Persisted var owner: Owner?
    @Persisted var part: Part?
    @Persisted var numbers: List<Int>
    @Persisted var owners: List<Owner>
    @Persisted var added = 7
    @Persisted var tag: String? = "new"
    @Persisted var bytes: Data?
    @Persisted var uuid: UUID?
    @Persisted var objectId: ObjectId?
    @Persisted var price: Decimal?
    @Persisted var any: AnyRealmValue
    @Persisted var words: MutableSet<String>
    @Persisted var counts: Map<String, Int>
    @Persisted var parts: List<Part>
    @Persisted var optionals: List<Int?>
  }
  final class Owner: Object {
    @Persisted(primaryKey: true) var code = ""
    @Persisted var age: Int?
    @Persisted var boss: Owner?
    @Persisted(originProperty: "owner") var items: LinkingObjects<Item>
  }
  final class Part: EmbeddedObject {
    @Persisted var size = 0
    @Persisted var label: String?
    @Persisted var extra = 1.5
  }
  static let types: [Object.Type] = [Item.self, Owner.self]
  static let parts: [EmbeddedObject.Type] = [Part.self]
}

struct EvaluationRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "evaluation" }
  var schemaVersion: UInt64?
  var objectTypes: [Object.Type]?
  var embeddedObjectTypes: [EmbeddedObject.Type]?
  var directory: String?

  static func before(_ directory: String) -> EvaluationRepository {
    EvaluationRepository(
      schemaVersion: 1,
      objectTypes: EvaluationBefore.types,
      embeddedObjectTypes: EvaluationBefore.parts,
      directory: directory
    )
  }

  static func after(_ directory: String) -> EvaluationRepository {
    EvaluationRepository(
      schemaVersion: 2,
      objectTypes: EvaluationAfter.types,
      embeddedObjectTypes: EvaluationAfter.parts,
      directory: directory
    )
  }
}
