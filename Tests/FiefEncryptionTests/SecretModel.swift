import Fief
import FiefEncryption
import Foundation

/// A class whose keys are secret, but for its rank.
final class Patient: Object {
  @Persisted(primaryKey: true, secret: true) var number = ""
  @Persisted(indexed: true, secret: true) var name = ""
  @Persisted(index: [.unique, .caseInsensitive], secret: true) var email: String?
  @Persisted(indexed: true, secret: true) var age = 0
  @Persisted(indexed: true, secret: true) var weight = 0.0
  @Persisted(indexed: true, secret: true) var born: Date?
  @Persisted(indexed: true, secret: true) var any: AnyRealmValue
  @Persisted(indexed: true, secret: true) var token = UUID()
  @Persisted(indexed: true, secret: true) var code = ObjectId.generate()
  @Persisted(indexed: true, secret: true) var bytes = Data()
  @Persisted(indexed: true, secret: true) var price = Decimal()
  @Persisted(indexed: true, secret: true) var isWell: Bool?
  @Persisted(index: .unique, secret: true) var doctor: Doctor?
  @Persisted(secret: true) var note = ""
  @Persisted(indexed: true) var rank = 0
  @Persisted var friends: List<Patient>
  @Persisted(originProperty: "friends") var friendOf: LinkingObjects<Patient>

  override class func indexes() -> [IndexDefinition] {
    [IndexDefinition("name", "rank"), IndexDefinition("rank", "name"), IndexDefinition("number", "rank")]
  }

  convenience init(_ number: String, _ name: String, age: Int = 0, rank: Int = 0) {
    self.init()
    self.number = number
    self.name = name
    self.age = age
    self.rank = rank
  }
}

/// A class with a compound key of a secret and a plain part.
final class Visit: Object {
  @Persisted(primaryKey: true, secret: true) var patient = 0
  @Persisted(primaryKey: true) var day = 0
  @Persisted var text = ""
  @Persisted var of: Patient?

  convenience init(_ patient: Int, _ day: Int, _ text: String) {
    self.init()
    self.patient = patient
    self.day = day
    self.text = text
  }
}

final class Doctor: Object {
  @Persisted(primaryKey: true, secret: true) var id = UUID()
  @Persisted(indexed: true, secret: true) var name = ""
  @Persisted(originProperty: "doctor") var patients: LinkingObjects<Patient>
}

final class Ward: Object {
  @Persisted(primaryKey: true, secret: true) var id = ObjectId.generate()
  @Persisted(indexed: true, secret: true) var name = ""
  @Persisted var patients: MutableSet<Patient>
  @Persisted var byName: Map<String, Patient?>
}

/// A repository of any classes.
struct Clinic: DatabaseConfigurable, Sendable {
  var parent: String
  var name = "clinic"
  var encryption: StoreEncryption? = .test(1)
  var version: UInt64 = 1
  var options = StoreOptions()
  var isInMemory = false
  var types: [Object.Type] = [Patient.self, Visit.self, Doctor.self, Ward.self]
  var block: MigrationBlock?

  var realmMemoryType: RealmMemoryType { isInMemory ? .inMemory(identifier: parent + name) : .inStorage }
  var schemaName: String? { name }
  var schemaVersion: UInt64? { version }
  var objectTypes: [Object.Type]? { types }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { block }
  var directory: String? { parent }
  var storeOptions: StoreOptions {
    var options = options
    options.encryption = encryption
    return options
  }
}
