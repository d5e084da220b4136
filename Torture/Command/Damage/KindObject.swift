import Fief
import FiefTorture
import FiefTree
import Foundation

/// A property of each kind of value, collection and index.
final class KindObject: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var flag = false
  @Persisted var small: Int8 = 0
  @Persisted(index: .unique) var integer = 0
  @Persisted var unsigned: UInt64 = 0
  @Persisted var optionalInteger: Int?
  @Persisted var float: Float = 0
  @Persisted var double = 0.0
  @Persisted(indexed: true) var date = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted(indexed: true) var decimal = Decimal()
  @Persisted(indexed: true) var uuid = UUID(uuid: KindObject.identifier(0))
  @Persisted var objectID: ObjectId?
  @Persisted(index: .caseInsensitive) var name = ""
  @Persisted(index: .fullText) var words = ""
  @Persisted var lower = ""
  @Persisted var data = Data()
  @Persisted var state = KindState.first
  @Persisted var any: AnyRealmValue
  @Persisted var link: KindObject?
  @Persisted var part: KindPart?
  @Persisted var parts: List<KindPart>
  @Persisted var integers: List<Int>
  @Persisted var dates: List<Date?>
  @Persisted var links: List<KindObject>
  @Persisted var names: MutableSet<String>
  @Persisted var linkSet: MutableSet<KindObject>
  @Persisted var map: Map<String, Double>
  @Persisted var partMap: Map<String, KindPart?>
  @Persisted var linkMap: Map<String, KindObject?>
  @Persisted var anys: List<AnyRealmValue>

  override class func indexes() -> [IndexDefinition] { [IndexDefinition("flag", "small", "date")] }
  override class func derivedProperties() -> [DerivedProperty] {
    [DerivedProperty("lower", .lowercased(of: "name"))]
  }

  private static func identifier(_ number: Int) -> uuid_t {
    let byte = UInt8(truncatingIfNeeded: number &* 37)
    return (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(truncatingIfNeeded: number))
  }

  static func key(_ number: Int) -> String { "object \(number)" }

  /// An object whose values follow from its number. The first ones have collections with trees of their own.
  static func numbered(_ number: Int) throws -> KindObject {
    let object = KindObject()
    object.id = key(number)
    object.flag = number % 3 == 0
    object.small = Int8(truncatingIfNeeded: number * 7)
    object.integer = number * 1_000_003
    object.unsigned = UInt64.max - UInt64(number)
    object.optionalInteger = number % 4 == 0 ? nil : -number
    object.float = Float(number) / 3
    object.double = Double(number) / 7
    object.date = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
    object.decimal = Decimal(number) / 8
    object.uuid = UUID(uuid: identifier(number))
    object.objectID = try ObjectId(string: "0123456789abcdef" + String(10_000_000 + number))
    object.name = "Name \(number % 41) of \(number)"
    object.words = "words number\(number) and many other\(number % 9)"
    // Some have pages of their own.
    object.data = Data(repeating: UInt8(truncatingIfNeeded: number), count: number % 10 == 0 ? 9_000 : 40)
    object.state = number % 2 == 0 ? .first : .second
    object.any = number % 2 == 0 ? .int(number) : .dictionary(["key": .string("any \(number)")])
    object.part = KindPart(value: ["text": "part \(number)", "number": number])
    let size = number < 3 ? 1_500 : 4
    for index in 0..<size {
      object.integers.append(number * 10_000 + index)
      object.names.insert("name \(number) \(index)")
      object.map["key \(index)"] = Double(number) + Double(index) / 10_000
    }
    object.dates.append(objectsIn: [object.date, nil])
    object.anys.append(objectsIn: [.none, .double(object.double), .list([.string("in \(number)")])])
    for index in 0..<3 {
      object.parts.append(KindPart(value: ["text": "parts \(number) \(index)", "number": index]))
      object.partMap["part \(index)"] = KindPart(value: ["text": "map \(number) \(index)", "number": index])
    }
    return object
  }

  /// Links it to others.
  func connect(_ number: Int, _ others: [KindObject]) {
    link = others[number * 7 % others.count]
    for index in 1...3 {
      links.append(others[(number + index) % others.count])
      linkSet.insert(others[(number * 3 + index) % others.count])
      linkMap["link \(index)"] = others[(number * 5 + index) % others.count]
    }
  }
}

final class KindPart: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var number = 0
}

enum KindState: String, PersistableEnum {
  case first, second
}

/// A store of such objects, in clear or encrypted.
struct KindRepository: DatabaseConfigurable, Sendable {
  let directory: String?
  let encryption: StoreEncryption?
  var isVerifiedByPage = false

  /// The number of objects that the store is made with, and of those that are then deleted, so that there are free pages.
  static let count = 120
  static let deleted = 20..<40

  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "kinds" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { JSONTree.objectTypes + [KindObject.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [KindPart.self] }
  var migrationBlock: MigrationBlock? { nil }
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.encryption = encryption
    options.eventOutput = .silent
    if isVerifiedByPage { options.wholeVerificationBytes = 0 }
    return options
  }

  /// Makes the store.
  func fill() throws {
    defer { close() }
    try write { transaction in
      let objects = try (0..<Self.count).map(KindObject.numbered)
      for (number, object) in objects.enumerated() { object.connect(number, objects) }
      try transaction.add(objects)
    }
    try write { try $0.delete(ofType: KindObject.self, forPrimaryKeys: Self.deleted.map(KindObject.key)) }
    // Two messages in the tree, with places that have segments of their own.
    let fanOut = FanOut(count: 60, group: 0)
    for number in 1...2 { try JSONTree(in: self).root.updateChildValuesAndWait(fanOut.values(number)) }
    // Large collections with a change inside.
    try write { transaction in
      let object = try transaction.object(ofType: KindObject.self, forPrimaryKey: KindObject.key(0))
      object?.integers[700] = -1
      object?.names.remove("name 0 701")
      object?.map["key 702"] = 0.5
    }
  }
}
