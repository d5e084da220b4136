import Fief
import FiefConsole
import Foundation

/// A schema with every type of property, for the round trips.
enum EveryType {
  final class Everything: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var bool = false
    @Persisted var int8: Int8 = 0
    @Persisted var int16: Int16 = 0
    @Persisted var int32: Int32 = 0
    @Persisted(indexed: true) var int = 0
    @Persisted var float: Float = 0
    @Persisted(indexed: true) var double = 0.0
    @Persisted(indexed: true) var string = ""
    @Persisted var data = Data()
    @Persisted(indexed: true) var date = Date(timeIntervalSinceReferenceDate: 0)
    @Persisted var uuid: UUID
    @Persisted var objectId: ObjectId
    @Persisted var decimal: Decimal
    @Persisted var any: AnyRealmValue
    @Persisted var maybeBool: Bool?
    @Persisted var maybeInt8: Int8?
    @Persisted var maybeInt: Int?
    @Persisted var maybeFloat: Float?
    @Persisted var maybeDouble: Double?
    @Persisted(indexed: true) var maybeString: String?
    @Persisted var maybeData: Data?
    @Persisted var maybeDate: Date?
    @Persisted var maybeUUID: UUID?
    @Persisted var maybeObjectId: ObjectId?
    @Persisted var maybeDecimal: Decimal?
    @Persisted var other: Everything?
    @Persisted var numbered: Numbered?
    @Persisted var compound: Compound?
    @Persisted var part: Part?
    @Persisted var ints: List<Int>
    @Persisted var maybeStrings: List<String?>
    @Persisted var dates: MutableSet<Date>
    @Persisted var strings: MutableSet<String>
    @Persisted var doubles: Map<String, Double>
    @Persisted var maybeDatas: Map<String, Data?>
    @Persisted var values: List<AnyRealmValue>
    @Persisted var parts: List<Part>
    @Persisted var others: List<Everything>
    @Persisted var compounds: MutableSet<Compound>
    @Persisted var numberedByName: Map<String, Numbered?>
  }

  final class Numbered: Object {
    @Persisted var name = ""
    @Persisted var next: Numbered?
  }

  final class Compound: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(primaryKey: true) var id: UUID
    @Persisted(primaryKey: true) var year: Int16 = 0
    @Persisted var note: String?
  }

  final class Part: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var amounts: List<Decimal>
    @Persisted var link: Compound?
    @Persisted var inner: Part?
  }

  final class Repository: DatabaseConfigurable, Sendable {
    let directory: String?
    let name: String
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { name }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [Everything.self, Numbered.self, Compound.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [Part.self] }
    var migrationBlock: MigrationBlock? { nil }

    init(directory: String, name: String) {
      self.directory = directory
      self.name = name
    }
  }
}
