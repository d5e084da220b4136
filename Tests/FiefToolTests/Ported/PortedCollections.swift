import FiefRealm
import Foundation

extension Ported {
  final class Lists: Object {
    @Persisted(primaryKey: true) var _id: Int
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
    @Persisted var decimal: List<Decimal128>
    @Persisted var objectId: List<ObjectId>
    @Persisted var uuid: List<UUID>
    @Persisted var mood: List<Mood>
    @Persisted var any: List<AnyRealmValue>
    @Persisted var maybeBool: List<Bool?>
    @Persisted var maybeInt: List<Int?>
    @Persisted var maybeInt8: List<Int8?>
    @Persisted var maybeDouble: List<Double?>
    @Persisted var maybeString: List<String?>
    @Persisted var maybeData: List<Data?>
    @Persisted var maybeDate: List<Date?>
    @Persisted var maybeDecimal: List<Decimal128?>
    @Persisted var maybeObjectId: List<ObjectId?>
    @Persisted var maybeUUID: List<UUID?>
    @Persisted var maybeLevel: List<Level?>
    @Persisted var keyed: List<Keyed>
    @Persisted var numbered: List<Numbered>
    @Persisted var part: List<Part>
  }

  final class Sets: Object {
    @Persisted(primaryKey: true) var _id: UUID
    @Persisted var bool: MutableSet<Bool>
    @Persisted var int: MutableSet<Int>
    @Persisted var int8: MutableSet<Int8>
    @Persisted var int16: MutableSet<Int16>
    @Persisted var int32: MutableSet<Int32>
    @Persisted var int64: MutableSet<Int64>
    @Persisted var float: MutableSet<Float>
    @Persisted var double: MutableSet<Double>
    @Persisted var string: MutableSet<String>
    @Persisted var data: MutableSet<Data>
    @Persisted var date: MutableSet<Date>
    @Persisted var decimal: MutableSet<Decimal128>
    @Persisted var objectId: MutableSet<ObjectId>
    @Persisted var uuid: MutableSet<UUID>
    @Persisted var level: MutableSet<Level>
    @Persisted var any: MutableSet<AnyRealmValue>
    @Persisted var maybeInt: MutableSet<Int?>
    @Persisted var maybeString: MutableSet<String?>
    @Persisted var maybeDate: MutableSet<Date?>
    @Persisted var maybeUUID: MutableSet<UUID?>
    @Persisted var maybeMood: MutableSet<Mood?>
    @Persisted var keyed: MutableSet<Keyed>
    @Persisted var numbered: MutableSet<Numbered>
  }

  final class Maps: Object {
    @Persisted(primaryKey: true) var _id: String
    @Persisted var bool: Map<String, Bool>
    @Persisted var int: Map<String, Int>
    @Persisted var int8: Map<String, Int8>
    @Persisted var int16: Map<String, Int16>
    @Persisted var int32: Map<String, Int32>
    @Persisted var int64: Map<String, Int64>
    @Persisted var float: Map<String, Float>
    @Persisted var double: Map<String, Double>
    @Persisted var string: Map<String, String>
    @Persisted var data: Map<String, Data>
    @Persisted var date: Map<String, Date>
    @Persisted var decimal: Map<String, Decimal128>
    @Persisted var objectId: Map<String, ObjectId>
    @Persisted var uuid: Map<String, UUID>
    @Persisted var mood: Map<String, Mood>
    @Persisted var any: Map<String, AnyRealmValue>
    @Persisted var maybeInt: Map<String, Int?>
    @Persisted var maybeFloat: Map<String, Float?>
    @Persisted var maybeString: Map<String, String?>
    @Persisted var maybeData: Map<String, Data?>
    @Persisted var maybeDate: Map<String, Date?>
    @Persisted var maybeObjectId: Map<String, ObjectId?>
    @Persisted var maybeLevel: Map<String, Level?>
    @Persisted var keyed: Map<String, Keyed?>
    @Persisted var numbered: Map<String, Numbered?>
    @Persisted var part: Map<String, Part?>
  }
}
