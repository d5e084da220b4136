import Fief
import Foundation

final class TypedDefaults: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var other: ObjectId
  @Persisted var given = "given"
  @Persisted var number = 42
  @Persisted var optional: Int? = 7
  @Persisted var list: List<Int> = [1, 2]
  @Persisted var size = TypedSize.large
  @Persisted var plainSize: TypedSize
  @Persisted var level: TypedLevel
  @Persisted var date: Date
  @Persisted var decimal: Decimal
  @Persisted var data: Data
  @Persisted var any: AnyRealmValue
  @Persisted var cents: TypedCents
  @Persisted var note: TypedNote?
}

final class TypedStringKey: Object {
  @Persisted(primaryKey: true) var key = ""
  @Persisted var number = 0
}

final class TypedUUIDKey: Object {
  @Persisted(primaryKey: true) var key: UUID
  @Persisted var number = 0
}

final class TypedObjectIdKey: Object {
  @Persisted(primaryKey: true) var key: ObjectId
  @Persisted var number = 0
}

final class TypedOptionalKey: Object {
  @Persisted(primaryKey: true) var key: String?
  @Persisted var number = 0
}

final class TypedInt8Key: Object {
  @Persisted(primaryKey: true) var key: Int8
  @Persisted var number = 0
}

final class TypedCompoundKey: Object {
  @Persisted(primaryKey: true) var region = ""
  @Persisted(primaryKey: true) var number = 0
  @Persisted var text = ""
  @Persisted var next: TypedCompoundKey?
}

class TypedAnimal: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

final class TypedCat: TypedAnimal {
  @Persisted var lives = 9
  @Persisted var rival: TypedAnimal?
}

final class TypedMapped: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var firstName = ""
  @Persisted var nick: String?

  override class func propertiesMapping() -> [String: String] {
    ["firstName": "first_name", "id": "_id"]
  }
}

final class TypedRenamed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""

  override class func className() -> String { "SomethingElse" }
}

/// Two descriptions of one type: what a later version of an application makes of it.
enum TypedEarlier {
  final class Shape: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var kind = ""
    @Persisted var kinds: List<String>
    @Persisted var number: Int?
    @Persisted var numbers: List<Int>

    override class func className() -> String { "TypedShape" }
  }
}

enum TypedLater {
  final class Shape: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var kind: TypedSize
    @Persisted var kinds: List<TypedSize>
    @Persisted var number: TypedEven?
    @Persisted var numbers: List<TypedEven>

    override class func className() -> String { "TypedShape" }
  }
}
