import Fief
import Foundation

enum CorpusSize: String, PersistableEnum, Codable { case small, medium, large }
enum CorpusLevel: Int, PersistableEnum, Codable { case low = -1, middle = 0, high = 9 }

struct CorpusCents: CustomPersistable, Hashable, Codable {
  var amount: Int
  init(amount: Int) { self.amount = amount }
  init(persistedValue: Int) { amount = persistedValue }
  var persistableValue: Int { amount }
}

/// The objects that the queries of the corpus search: a property of each type.
class CorpusItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var bool: Bool
  @Persisted var flag: Bool?
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var int: Int
  @Persisted var optInt: Int?
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var optDouble: Double?
  @Persisted var decimal: Decimal
  @Persisted var optDecimal: Decimal?
  @Persisted var string: String
  @Persisted var optString: String?
  @Persisted var text: String
  @Persisted var data: Data
  @Persisted var optData: Data?
  @Persisted var date: Date
  @Persisted var optDate: Date?
  @Persisted var uuid: UUID
  @Persisted var optUUID: UUID?
  @Persisted var objectId: ObjectId
  @Persisted var any: AnyRealmValue
  @Persisted var size: CorpusSize
  @Persisted var optSize: CorpusSize?
  @Persisted var level: CorpusLevel
  @Persisted var cents: CorpusCents
  @Persisted var friend: CorpusItem?
  @Persisted var favourite: CorpusToy?
  @Persisted var toys: List<CorpusToy>
  @Persisted var toySet: MutableSet<CorpusToy>
  @Persisted var toyMap: Map<String, CorpusToy?>
  @Persisted var collar: CorpusCollar?
  @Persisted var collars: List<CorpusCollar>
  @Persisted var ints: List<Int>
  @Persisted var optInts: List<Int?>
  @Persisted var doubles: List<Double>
  @Persisted var strings: List<String>
  @Persisted var sizes: List<CorpusSize>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var prices: Map<String, Double>
  @Persisted var names: Map<String, String>
  @Persisted var counts: Map<String, Int?>
  /// A property that no store knows.
  var shout: String { string.uppercased() }

  override class func propertiesMapping() -> [String: String] {
    ["optString": "opt_string", "int16": "short"]
  }
}

/// The same with every index: its links lead to the objects without.
final class IndexedCorpusItem: CorpusItem {
  override class func indexes() -> [IndexDefinition] {
    let single = [
      "bool", "flag", "int8", "int16", "int32", "int64", "int", "optInt", "float", "double", "optDouble",
      "decimal", "optDecimal", "string", "optString", "data", "optData", "date", "optDate", "uuid", "optUUID",
      "objectId", "any", "size", "optSize", "level", "cents",
    ]
    let compound = [
      IndexDefinition("size", "int"), IndexDefinition("bool", "string", "double"),
      IndexDefinition("optInt", "optString"),
      IndexDefinition("string").caseInsensitive, IndexDefinition("optString").caseInsensitive,
    ]
    return single.map { IndexDefinition($0) } + compound + [.fullText("text"), .fullText("string")]
  }
}

/// ``CorpusItem`` before most properties were added, and others were made wider.
class OldCorpusItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var int8: Int8
  @Persisted var int16: Int8
  @Persisted var int: Int32
  @Persisted var optInt: Int32?
  @Persisted var double: Float
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId

  override class func className() -> String { "CorpusItem" }
  override class func propertiesMapping() -> [String: String] { ["int16": "short"] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class OldIndexedCorpusItem: OldCorpusItem {
  override class func className() -> String { "IndexedCorpusItem" }
  override class func indexes() -> [IndexDefinition] {
    ["int16", "int", "optInt", "double"].map { IndexDefinition($0) }
  }
}

final class CorpusToy: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var price: Double
  @Persisted var weight: Int?
  @Persisted var maker: CorpusMaker?
  @Persisted(originProperty: "toys") var owners: LinkingObjects<CorpusItem>
  @Persisted(originProperty: "favourite") var fans: LinkingObjects<CorpusItem>
}

/// A class without a primary key.
final class CorpusMaker: Object {
  @Persisted var country = ""
  @Persisted var founded: Int
  @Persisted(originProperty: "maker") var toys: LinkingObjects<CorpusToy>
}

final class CorpusCollar: EmbeddedObject {
  @Persisted var color = ""
  @Persisted var width: Int?
  @Persisted var tag: CorpusTag?
  @Persisted var holes: List<Int>
  @Persisted var maker: CorpusMaker?
}

final class CorpusTag: EmbeddedObject {
  @Persisted var label: String?
  @Persisted var number: Int
}

/// All items in lists, in another order than that of their keys, some of them twice.
final class CorpusGroup: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var items: List<CorpusItem>
  @Persisted var indexed: List<IndexedCorpusItem>
}

enum CorpusTypes {
  static let objects: [Object.Type] = [
    CorpusItem.self, IndexedCorpusItem.self, CorpusToy.self, CorpusMaker.self, CorpusGroup.self,
  ]
  static let embedded: [EmbeddedObject.Type] = [CorpusCollar.self, CorpusTag.self]
}
