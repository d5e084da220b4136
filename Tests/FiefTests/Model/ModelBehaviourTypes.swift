import Fief
import Foundation

final class ModelDefaults: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var other: ObjectId
  @Persisted var given = "given"
  @Persisted var number = 42
  @Persisted var optional: Int? = 7
  @Persisted var list: List<Int> = [1, 2]
  @Persisted var size = ModelSize.large
  @Persisted var plainSize: ModelSize
  @Persisted var level: ModelLevel
  @Persisted var date: Date
  @Persisted var decimal: Decimal
  @Persisted var data: Data
  @Persisted var any: AnyRealmValue
  @Persisted var cents: ModelCents
  @Persisted var note: ModelNote?
}

final class ModelStringKey: Object {
  @Persisted(primaryKey: true) var key = ""
  @Persisted var number = 0
}

final class ModelUUIDKey: Object {
  @Persisted(primaryKey: true) var key: UUID
  @Persisted var number = 0
}

final class ModelObjectIdKey: Object {
  @Persisted(primaryKey: true) var key: ObjectId
  @Persisted var number = 0
}

final class ModelOptionalKey: Object {
  @Persisted(primaryKey: true) var key: String?
  @Persisted var number = 0
}

final class ModelInt8Key: Object {
  @Persisted(primaryKey: true) var key: Int8
  @Persisted var number = 0
}

final class ModelCompoundKey: Object {
  @Persisted(primaryKey: true) var region = ""
  @Persisted(primaryKey: true) var number = 0
  @Persisted var text = ""
  @Persisted var next: ModelCompoundKey?
}

class ModelAnimal: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

final class ModelCat: ModelAnimal {
  @Persisted var lives = 9
  @Persisted var rival: ModelAnimal?
}

final class ModelMapped: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var firstName = ""
  @Persisted var nick: String?

  override class func propertiesMapping() -> [String: String] {
    ["firstName": "first_name", "id": "_id"]
  }
}

final class ModelRenamed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""

  override class func className() -> String { "SomethingElse" }
}

/// Two descriptions of one type: what a later version of an application makes of it.
enum ModelEarlier {
  final class Shape: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var kind = ""
    @Persisted var kinds: List<String>
    @Persisted var number: Int?
    @Persisted var numbers: List<Int>

    override class func className() -> String { "ModelShape" }
  }
}

enum ModelLater {
  final class Shape: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var kind: ModelSize
    @Persisted var kinds: List<ModelSize>
    @Persisted var number: ModelEven?
    @Persisted var numbers: List<ModelEven>

    override class func className() -> String { "ModelShape" }
  }
}
