import Fief
import FiefModel
import Foundation

/// A class of a random schema: which properties it has are the arguments of generic classes.
protocol RandomRow: Object {
  var mark: Int { get }
}

protocol RandomPart: EmbeddedObject {}

/// Whether classes have the indexes of the schema.
protocol QueryRole {
  static var hasIndexes: Bool { get }
}

enum Indexed: QueryRole {
  static var hasIndexes: Bool { true }
}

enum Bare: QueryRole {
  static var hasIndexes: Bool { false }
}

extension QueryRole {
  fileprivate static func indexes(_ declared: KeyPath<QuerySchema, [RandomIndex]>) -> [IndexDefinition] {
    hasIndexes ? QuerySchema.current.withLock { $0[keyPath: declared].map(\.definition) } : []
  }
}

/// The type that most queries are about.
final class RandomItem<
  Role: QueryRole,
  Key: Persistable,
  A: Persistable,
  B: Persistable,
  C: Persistable,
  D: Persistable,
  E: Persistable,
  F: Persistable,
  Target: RandomRow,
  Part: RandomPart
>: Object, RandomRow {
  @Persisted(primaryKey: true) var id: Key
  @Persisted var mark: Int
  @Persisted var a: A
  @Persisted var b: B
  @Persisted var c: C
  @Persisted var d: D
  @Persisted var e: E
  @Persisted var f: F
  @Persisted var link: Target?
  @Persisted var links: List<Target>
  @Persisted var linkSet: MutableSet<Target>
  @Persisted var linkMap: Map<String, Target?>
  @Persisted var part: Part?
  @Persisted var parts: List<Part>
  @Persisted var next: RandomItem?
  @Persisted(originProperty: "next") var previous: LinkingObjects<RandomItem>

  override class func className() -> String { "Item" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func indexes() -> [IndexDefinition] { Role.indexes(\.indexes) }
}

/// The type that items link.
final class RandomTarget<Role: QueryRole, Key: Persistable, A: Persistable, B: Persistable, C: Persistable>:
  Object,
  RandomRow
{
  @Persisted(primaryKey: true) var id: Key
  @Persisted var mark: Int
  @Persisted var a: A
  @Persisted var b: B
  @Persisted var c: C

  override class func className() -> String { "Target" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func indexes() -> [IndexDefinition] { Role.indexes(\.targetIndexes) }
}

final class RandomEmbedded<Role: QueryRole, A: Persistable, B: Persistable>: EmbeddedObject, RandomPart {
  @Persisted var a: A
  @Persisted var b: B

  override class func className() -> String { "Part" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The classes of a schema.
struct QueryClasses {
  let item: any RandomRow.Type
  let target: any RandomRow.Type
  let part: any RandomPart.Type

  init<Role: QueryRole>(_ schema: QuerySchema, _ role: Role.Type) {
    let (item, target, part) = (schema.item.map(\.type), schema.target.map(\.type), schema.part.map(\.type))
    self.part = Self.part(role, part[0], part[1])
    self.target = Self.target(role, schema.targetKey.type, target)
    self.item = self.part.item(role, schema.itemKey.type, item, self.target)
  }

  private static func part<Role: QueryRole, A: Persistable, B: Persistable>(
    _: Role.Type,
    _: A.Type,
    _: B.Type
  )
    -> any RandomPart.Type
  {
    RandomEmbedded<Role, A, B>.self
  }

  private static func target<Role: QueryRole, Key: Persistable>(
    _ role: Role.Type,
    _ key: Key.Type,
    _ types: [any Persistable.Type]
  ) -> any RandomRow.Type {
    func make<A: Persistable, B: Persistable, C: Persistable>(_: A.Type, _: B.Type, _: C.Type)
      -> any RandomRow.Type
    {
      RandomTarget<Role, Key, A, B, C>.self
    }
    return make(types[0], types[1], types[2])
  }
}

// A metatype of a protocol with a superclass is opened by calling a method of it.

extension RandomPart {
  static func item<Role: QueryRole>(
    _ role: Role.Type,
    _ key: any Persistable.Type,
    _ types: [any Persistable.Type],
    _ target: any RandomRow.Type
  ) -> any RandomRow.Type {
    target.item(role, key, types, Self.self)
  }
}

extension RandomRow {
  fileprivate static func item<Role: QueryRole, Part: RandomPart>(
    _ role: Role.Type,
    _ key: any Persistable.Type,
    _ types: [any Persistable.Type],
    _ part: Part.Type
  ) -> any RandomRow.Type {
    func make<Key: Persistable, A: Persistable, B: Persistable, C: Persistable>(
      _: Key.Type,
      _: A.Type,
      _: B.Type,
      _: C.Type
    ) -> any RandomRow.Type {
      func make<D: Persistable, E: Persistable, F: Persistable>(_: D.Type, _: E.Type, _: F.Type)
        -> any RandomRow.Type
      {
        RandomItem<Role, Key, A, B, C, D, E, F, Self, Part>.self
      }
      return make(types[3], types[4], types[5])
    }
    return make(key, types[0], types[1], types[2])
  }

  /// A store in which this is the class of the items.
  static func store(_ repository: QueryRepository, _ schema: QuerySchema) throws -> any QueryStoring {
    try repository.classes.target.store(repository, schema, Self.self)
  }

  private static func store<Item: RandomRow>(
    _ repository: QueryRepository,
    _ schema: QuerySchema,
    _ item: Item.Type
  ) throws -> any QueryStoring {
    try QueryStore<Item, Self>(repository, schema)
  }
}

/// The store of a random schema.
struct QueryRepository: DatabaseConfigurable {
  let realmMemoryType: RealmMemoryType
  let directory: String?
  let name: String
  let classes: QueryClasses
  var storeOptions: StoreOptions

  var schemaName: String? { name }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [classes.item, classes.target] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [classes.part] }
  var migrationBlock: MigrationBlock? { nil }
}
