import Fief
import Foundation

/// The classes of a store at two versions. At the second every property has another type or name.
enum ChangeBefore {
  enum Size: Int16, PersistableEnum { case small = 1, large = 2 }

  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int16 = 0
    @Persisted(indexed: true) var wide: Int32 = 0
    @Persisted(indexed: true) var name: String?
    @Persisted(indexed: true) var tag: String
    @Persisted var maker: Maker?
    @Persisted var makers: List<Maker>
    @Persisted var small: Int8?
    @Persisted var size = Size.small
    @Persisted var ratio: Float = 0
    @Persisted var when: Date?
    @Persisted var part: ItemPart?
    @Persisted var count: Int16 = 0
  }
  final class Maker: Object { @Persisted(primaryKey: true) var id = "" }
  final class ItemPart: EmbeddedObject {
    @Persisted var number: Int8 = 0
    @Persisted var text: String?
  }
  static let types: [Object.Type] = [Item.self, Maker.self]
  static let parts: [EmbeddedObject.Type] = [ItemPart.self]
}

enum ChangeAfter {
  enum Size: Int, PersistableEnum { case small = 1, large = 2 }

  final class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var wide: Int?
    @Persisted(indexed: true) var name = "unnamed"
    @Persisted(indexed: true) var label: String
    @Persisted var producer: Maker?
    @Persisted var producers: List<Maker>
    @Persisted var small = 7.5
    @Persisted var size = Size.large
    @Persisted var ratio: Double?
    @Persisted var when: Date
    @Persisted var part: ItemPart?
    @Persisted var total: Int?
  }
  final class Maker: Object { @Persisted(primaryKey: true) var id = "" }
  final class ItemPart: EmbeddedObject {
    @Persisted var number = 0
    @Persisted var text = "none"
  }
  static let types: [Object.Type] = [Item.self, Maker.self]
  static let parts: [EmbeddedObject.Type] = [ItemPart.self]
}

/// The second version, with types that not every value fits.
enum ChangeNarrow {
  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int16 = 0
    @Persisted(indexed: true) var wide: Int8 = 0
  }
  static let types: [Object.Type] = [Item.self]
}

struct ChangeRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "changes" }
  var schemaVersion: UInt64? = 1
  var objectTypes: [Object.Type]? = ChangeBefore.types
  var embeddedObjectTypes: [EmbeddedObject.Type]? = ChangeBefore.parts
  var migrationBlock: MigrationBlock?
  var directory: String?
  var storeOptions = StoreOptions()

  static func after(_ directory: String) -> ChangeRepository {
    ChangeRepository(
      schemaVersion: 2,
      objectTypes: ChangeAfter.types,
      embeddedObjectTypes: ChangeAfter.parts,
      migrationBlock: { migration, _ in
        migration.renameProperty(onType: "Item", from: "tag", to: "label")
        migration.renameProperty(onType: "Item", from: "maker", to: "producer")
        migration.renameProperty(onType: "Item", from: "makers", to: "producers")
        migration.renameProperty(onType: "Item", from: "count", to: "total")
      },
      directory: directory
    )
  }
}
