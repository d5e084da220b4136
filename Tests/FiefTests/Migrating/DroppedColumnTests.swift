import Fief
import FiefTesting
import Foundation
import Testing

private enum Before {
  final class Dropping: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var first = 0
    @Persisted var second = 0
    @Persisted var third: Int?
    @Persisted var part: DroppingPart?
    @Persisted var text = ""
  }
  final class DroppingPart: EmbeddedObject {
    @Persisted var gone = 0
    @Persisted var kept = 0
  }
}

private enum After {
  final class Dropping: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var second = 0
    @Persisted var third: Int?
    @Persisted var part: DroppingPart?
    @Persisted var text = ""
  }
  final class DroppingPart: EmbeddedObject {
    @Persisted var kept = 0
  }
}

private struct Dropped: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "dropped" }
  var schemaVersion: UInt64?
  var objectTypes: [Object.Type]?
  var embeddedObjectTypes: [EmbeddedObject.Type]?
  var migrationBlock: MigrationBlock? { nil }
  var directory: String?
}

@Suite struct DroppedColumnTests {
  @Test("integers of records that are older than the drop of another integer keep their values")
  func droppedInteger() throws {
    let directory = NSTemporaryDirectory() + "fief-dropped-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let old = Dropped(
      schemaVersion: 1,
      objectTypes: [Before.Dropping.self],
      embeddedObjectTypes: [Before.DroppingPart.self],
      directory: directory
    )
    try old.store().write { transaction in
      let object = Before.Dropping()
      object.id = 1
      object.first = 11
      object.second = 2222
      object.third = 333_333
      object.part = Before.DroppingPart()
      object.part?.gone = 4
      object.part?.kept = 5
      object.text = "text"
      try transaction.add(object)
    }
    old.close()
    let new = Dropped(
      schemaVersion: 2,
      objectTypes: [After.Dropping.self],
      embeddedObjectTypes: [After.DroppingPart.self],
      directory: directory
    )
    defer { new.close() }
    let found = try #require(new.object(ofType: After.Dropping.self, forPrimaryKey: 1))
    #expect(found.second == 2222)
    #expect(found.third == 333_333)
    #expect(found.part?.kept == 5)
    #expect(found.text == "text")
    // An assignment to another property writes the whole record.
    try new.store().write {
      try #require(try $0.object(ofType: After.Dropping.self, forPrimaryKey: 1)).text = "changed"
    }
    #expect(new.object(ofType: After.Dropping.self, forPrimaryKey: 1)?.second == 2222)
    #expect(try new.check().problems == [])
  }
}
