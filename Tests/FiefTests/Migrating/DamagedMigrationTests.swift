import Fief
import Foundation
import Testing

private enum Parts {
  final class Order: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var note = ""
    @Persisted var lines: List<Line>
  }
  final class Line: EmbeddedObject {
    @Persisted var text = ""
  }
}

private enum Whole {
  final class Order: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var note = ""
    @Persisted var lines: List<Line>
  }
  final class Line: Object {
    @Persisted var text = ""
  }
}

private enum Keyed {
  final class Order: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var note = ""
    @Persisted var lines: List<Line>
  }
  final class Line: Object {
    @Persisted(primaryKey: true) var text = ""
  }
}

/// A migration gives no damaged record a checksum that is right, in whichever way it makes records again.
@Suite("Migrations of damaged records")
struct DamagedMigrationTests {
  enum Change: CaseIterable {
    case partsBecomeObjects, objectsBecomeParts, objectsGetOtherKeys
  }

  private static func parts(_ directory: String, version: UInt64) -> MigratingStore {
    MigratingStore(directory, version: version, [Parts.Order.self], embedded: [Parts.Line.self])
  }

  private static func whole(_ directory: String, version: UInt64) -> MigratingStore {
    MigratingStore(directory, version: version, [Whole.Order.self, Whole.Line.self])
  }

  private static func stores(_ change: Change, _ directory: String) -> (
    old: MigratingStore, new: MigratingStore
  ) {
    switch change {
    case .partsBecomeObjects: (parts(directory, version: 1), whole(directory, version: 2))
    case .objectsBecomeParts: (whole(directory, version: 1), parts(directory, version: 2))
    case .objectsGetOtherKeys:
      (
        whole(directory, version: 1),
        MigratingStore(directory, version: 2, [Keyed.Order.self, Keyed.Line.self])
      )
    }
  }

  private static func fill(_ store: MigratingStore, _ order: (some Object).Type) throws {
    try store.opened { store in
      try store.write { transaction in
        for number in 1...2 {
          try transaction.create(
            order,
            value: [
              "number": number, "note": "the note of order \(number)",
              "lines": [["text": "a line of \(number)"]],
            ]
          )
        }
      }
    }
  }

  @Test(arguments: Change.allCases, ["the note of order 1", "a line of 1"])
  func whatIsDamagedEndsTheMigration(_ change: Change, text: String) throws {
    try MigratingStore.withDirectory { directory in
      let (old, new) = Self.stores(change, directory)
      switch change {
      case .partsBecomeObjects: try Self.fill(old, Parts.Order.self)
      case .objectsBecomeParts, .objectsGetOtherKeys: try Self.fill(old, Whole.Order.self)
      }
      try FileDamage.flip(4, of: Array(text.utf8), in: directory + "/migrated/data.mdb")
      let failure = try new.failure()
      #expect(failure.code == .damagedRecord)
      #expect(failure.store == "migrated")
      // It is as it was.
      defer { old.close() }
      #expect(old.store().openingError == nil)
      #expect(try old.check().problems.contains { $0.contains("damagedRecord") })
    }
  }
}
