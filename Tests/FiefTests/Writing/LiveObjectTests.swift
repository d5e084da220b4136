import Fief
import FiefTesting
import Foundation
import Testing

final class LiveItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var count = 0
}

struct LiveRepository: DatabaseConfigurable {
  var identifier = UUID().uuidString
  var realmMemoryType: RealmMemoryType { .inMemory(identifier: identifier) }
  var schemaName: String? { "live" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [LiveItem.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}

@Suite struct LiveObjectTests {
  private func filled(_ count: Int) throws -> LiveRepository {
    let repository = LiveRepository()
    try repository.store().write { transaction in
      for id in 0..<count {
        let item = LiveItem()
        item.id = id
        try transaction.add(item)
      }
    }
    return repository
  }

  @Test("an added second instance of a deleted object does not bring it back")
  func deletedThroughAnotherInstance() throws {
    let repository = try filled(1)
    defer { repository.close() }
    // Either the write fails or the object stays deleted.
    try? repository.store().write { transaction in
      let live = try #require(try transaction.object(ofType: LiveItem.self, forPrimaryKey: 0))
      let second = LiveItem()
      second.name = "second"
      try transaction.add(second, update: .all)
      try transaction.delete(live)
      second.count = 5
      #expect(try transaction.exists(LiveItem.self, forPrimaryKey: 0) == false)
    }
  }

  @Test("what was assigned to an instance that was released is not undone by a second one")
  func secondInstanceAfterSweep() throws {
    let repository = try filled(5000)
    defer { repository.close() }
    try repository.store().write { transaction in
      let second = LiveItem()
      second.name = "second"
      func change() throws {
        let live = try #require(try transaction.object(ofType: LiveItem.self, forPrimaryKey: 0))
        try transaction.add(second, update: .all)
        live.count = 7
      }
      try change()
      #expect(try transaction.count(LiveItem.self) == 5000)
      for id in 1..<5000 { _ = try transaction.object(ofType: LiveItem.self, forPrimaryKey: id) }
      second.name = "third"
    }
    let found = repository.object(ofType: LiveItem.self, forPrimaryKey: 0)
    #expect(found?.name == "third")
    #expect(found?.count == 7)
  }

  @Test("an object added with .assigned does not write its other properties later")
  func modifiedThenAssigned() throws {
    let repository = try filled(1)
    defer { repository.close() }
    try repository.store().write { transaction in
      try #require(try transaction.object(ofType: LiveItem.self, forPrimaryKey: 0)).count = 9
    }
    try repository.store().write { transaction in
      let item = LiveItem()
      item.id = 0
      item.name = "a"
      try transaction.add(item, update: .assigned)
      item.name = "b"
    }
    let found = repository.object(ofType: LiveItem.self, forPrimaryKey: 0)
    #expect(found?.name == "b")
    #expect(found?.count == 9)
  }
}
