import Fief

/// Keeps the two classes of one name from being among the types of the process: generic ones are not.
public enum StressVersion {}

public typealias StressItemBefore = StressItemOld<StressVersion>
public typealias StressItemAfter = StressItemNew<StressVersion>

/// The items of the store that is killed in the middle of its migration, as they were.
public final class StressItemOld<Version>: Object {
  @Persisted(primaryKey: true) public var id = 0
  @Persisted(indexed: true) public var label: String
  @Persisted public var number = 0

  public override class func className() -> String { "StressItem" }
}

/// The same items after the migration: the label has become a rank, a number is its own double.
public final class StressItemNew<Version>: Object {
  @Persisted(primaryKey: true) public var id = 0
  @Persisted(indexed: true) public var rank = 0
  @Persisted public var number = 0
  @Persisted(indexed: true) public var note: String?

  public override class func className() -> String { "StressItem" }
}

/// The repository of the items, of version 1 or of version 2.
public struct StressItemRepository: DatabaseConfigurable, Sendable {
  public static let count = 20_000

  public let version: UInt64
  public let directory: String?

  public init(version: UInt64, directory: String) {
    self.version = version
    self.directory = directory
  }

  public var realmMemoryType: RealmMemoryType { .inStorage }
  public var schemaName: String? { "items" }
  public var schemaVersion: UInt64? { version }
  public var objectTypes: [Object.Type]? { version == 1 ? [StressItemBefore.self] : [StressItemAfter.self] }
  public var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  public var migrationBlock: MigrationBlock? {
    { migration, _ in
      migration.enumerateObjects(ofType: "StressItem") { old, new in
        let number = old?["number"] as? Int ?? 0
        new?["number"] = number * 2
        new?["rank"] = Int((old?["label"] as? String ?? "").dropFirst(6)) ?? -1
        new?["note"] = "migrated"
      }
    }
  }
}
