import Fief
import Foundation

final class TypedScalars: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var bool: Bool
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal
  @Persisted var any: AnyRealmValue
  @Persisted var size: TypedSize
  @Persisted var level: TypedLevel
  @Persisted var cents: TypedCents
}

final class TypedOptionals: Object {
  @Persisted(primaryKey: true) var id = 0
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
  @Persisted var uuid: UUID?
  @Persisted var objectId: ObjectId?
  @Persisted var decimal: Decimal?
  @Persisted var size: TypedSize?
  @Persisted var level: TypedLevel?
  @Persisted var cents: TypedCents?
  @Persisted var even: TypedEven?
}

final class TypedLists: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var bool: List<Bool>
  @Persisted var int: List<Int>
  @Persisted var int8: List<Int8>
  @Persisted var int16: List<Int16>
  @Persisted var int32: List<Int32>
  @Persisted var int64: List<Int64>
  @Persisted var float: List<Float>
  @Persisted var double: List<Double>
  @Persisted var string: List<String>
  @Persisted var data: List<Data>
  @Persisted var date: List<Date>
  @Persisted var uuid: List<UUID>
  @Persisted var objectId: List<ObjectId>
  @Persisted var decimal: List<Decimal>
  @Persisted var any: List<AnyRealmValue>
  @Persisted var size: List<TypedSize>
  @Persisted var level: List<TypedLevel>
  @Persisted var cents: List<TypedCents>
  @Persisted var optionalInt: List<Int?>
  @Persisted var optionalString: List<String?>
  @Persisted var optionalDouble: List<Double?>
  @Persisted var optionalUUID: List<UUID?>
}

final class TypedSets: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var bool: MutableSet<Bool>
  @Persisted var int: MutableSet<Int>
  @Persisted var int8: MutableSet<Int8>
  @Persisted var int16: MutableSet<Int16>
  @Persisted var int32: MutableSet<Int32>
  @Persisted var int64: MutableSet<Int64>
  @Persisted var string: MutableSet<String>
  @Persisted var data: MutableSet<Data>
  @Persisted var date: MutableSet<Date>
  @Persisted var uuid: MutableSet<UUID>
  @Persisted var objectId: MutableSet<ObjectId>
  @Persisted var decimal: MutableSet<Decimal>
  @Persisted var any: MutableSet<AnyRealmValue>
  @Persisted var size: MutableSet<TypedSize>
  @Persisted var cents: MutableSet<TypedCents>
  @Persisted var optionalInt: MutableSet<Int?>
}

final class TypedMaps: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var bool: Map<String, Bool>
  @Persisted var int: Map<String, Int>
  @Persisted var int8: Map<String, Int8>
  @Persisted var float: Map<String, Float>
  @Persisted var double: Map<String, Double>
  @Persisted var string: Map<String, String>
  @Persisted var data: Map<String, Data>
  @Persisted var date: Map<String, Date>
  @Persisted var uuid: Map<String, UUID>
  @Persisted var objectId: Map<String, ObjectId>
  @Persisted var decimal: Map<String, Decimal>
  @Persisted var any: Map<String, AnyRealmValue>
  @Persisted var level: Map<String, TypedLevel>
  @Persisted var cents: Map<String, TypedCents>
  @Persisted var optionalInt: Map<String, Int?>
  @Persisted var optionalString: Map<String, String?>
}

final class TypedToy: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var price: Decimal
  @Persisted(originProperty: "toys") var owners: LinkingObjects<TypedPet>
}

final class TypedCollar: EmbeddedObject {
  @Persisted var color = "red"
  @Persisted var tag: TypedTag?
  @Persisted var maker: TypedToy?
}

final class TypedTag: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var lines: List<String>
}

final class TypedPet: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var age: Int?
  @Persisted var favourite: TypedToy?
  @Persisted var friend: TypedPet?
  @Persisted var toys: List<TypedToy>
  @Persisted var toySet: MutableSet<TypedToy>
  @Persisted var toyMap: Map<String, TypedToy?>
  @Persisted var collar: TypedCollar?
  @Persisted var collars: List<TypedCollar>
  @Persisted var collarMap: Map<String, TypedCollar?>
  @Persisted(originProperty: "friend") var friends: LinkingObjects<TypedPet>
  var mood = "calm"

  static let types: [Object.Type] = [TypedPet.self, TypedToy.self]
  static let embedded: [EmbeddedObject.Type] = [TypedCollar.self, TypedTag.self]
}
