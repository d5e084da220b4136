import Fief

/// Keeps the two classes of one name from being among the types of the process: generic ones are not.
package enum StressVersion {}

package typealias StressItemBefore = StressItemOld<StressVersion>
package typealias StressItemAfter = StressItemNew<StressVersion>

/// The items of the store that is killed in the middle of its migration, as they were.
package final class StressItemOld<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var label: String
  @Persisted package var number = 0

  package override class func className() -> String { "StressItem" }
}

/// The same items after the migration: the label has become a rank, a number is its own double.
package final class StressItemNew<Version>: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var rank = 0
  @Persisted package var number = 0
  @Persisted(indexed: true) package var note: String?

  package override class func className() -> String { "StressItem" }
}

/// The repository of the items, of version 1 or of version 2.
package struct StressItemRepository: DatabaseConfigurable, Sendable {
  package static let count = 6_000

  package let version: UInt64
  package let directory: String?

  package init(version: UInt64, directory: String) {
    self.version = version
    self.directory = directory
  }

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "items" }
  package var schemaVersion: UInt64? { version }
  package var objectTypes: [Object.Type]? { version == 1 ? [StressItemBefore.self] : [StressItemAfter.self] }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  package var migrationBlock: MigrationBlock? {
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
