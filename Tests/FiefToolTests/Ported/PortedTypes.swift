import FiefRealm
import Foundation

/// Classes as an application of Realm's has them, with every type of property.
enum Ported {
  enum Mood: String, PersistableEnum { case calm, wild = "very wild" }
  enum Level: Int, PersistableEnum { case low = -1, high = 7 }

  final class Single: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var bool: Bool
    @Persisted(indexed: true) var int: Int
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted var int32: Int32
    @Persisted var int64: Int64
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted(indexed: true) var string: String
    @Persisted var data: Data
    @Persisted var date: Date
    @Persisted var decimal: Decimal128
    @Persisted var objectId: ObjectId
    @Persisted var uuid: UUID
    @Persisted var mood: Mood
    @Persisted var level: Level
    @Persisted var any: AnyRealmValue
    @Persisted var longName: String
    @Persisted var keyed: Keyed?
    @Persisted var numbered: Numbered?
    @Persisted var part: Part?
    @Persisted(originProperty: "single") var inverse: LinkingObjects<Keyed>

    override class func propertiesMapping() -> [String: String] { ["longName": "long_name"] }
  }

  final class Maybe: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var bool: Bool?
    @Persisted var int: Int?
    @Persisted var int8: Int8?
    @Persisted var int16: Int16?
    @Persisted var int32: Int32?
    @Persisted var int64: Int64?
    @Persisted var float: Float?
    @Persisted var double: Double?
    @Persisted var string: String?
    @Persisted var data: Data?
    @Persisted var date: Date?
    @Persisted var decimal: Decimal128?
    @Persisted var objectId: ObjectId?
    @Persisted var uuid: UUID?
    @Persisted var mood: Mood?
    @Persisted var level: Level?
  }

  /// Values of any type.
  final class Mixed: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var any: AnyRealmValue
  }

  final class Keyed: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var single: Single?
  }

  /// A class without a primary key, whose objects an export numbers.
  final class Numbered: Object {
    @Persisted var name: String
    @Persisted var next: Numbered?
  }

  final class Part: EmbeddedObject {
    @Persisted var name: String
    @Persisted var size: Double?
    @Persisted var keyed: Keyed?
    @Persisted var inner: List<Inner>

    override class func propertiesMapping() -> [String: String] { ["size": "part_size"] }
  }

  final class Inner: EmbeddedObject {
    @Persisted var date: Date
    @Persisted var any: AnyRealmValue
  }

  static let types: [ObjectBase.Type] = [
    Single.self, Maybe.self, Mixed.self, Keyed.self, Numbered.self, Part.self, Inner.self, Lists.self,
    Sets.self, Maps.self,
  ]
}
