import Fief
import Foundation
import Testing

final class NoisyItem: Object {
  @Persisted(primaryKey: true) var id = 0
  nonisolated(unsafe) static var onDeinit: (() -> Void)?
  deinit { Self.onDeinit?() }
}

private struct NoisyRepository: DatabaseConfigurable {
  var identifier = UUID().uuidString
  var realmMemoryType: RealmMemoryType { .inMemory(identifier: identifier) }
  var schemaName: String? { "noisy" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [NoisyItem.self, LiveItem.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}

@Suite struct DeinitTests {
  @Test(
    "an object may look at its store when it goes, also in a write"
  )
  func lookingUpWhileGoing() throws {
    let repository = NoisyRepository()
    defer { repository.close() }
    try repository.store().write { transaction in
      let item = LiveItem()
      item.id = 1
      try transaction.add(item)
      for id in 0..<3000 {
        let object = NoisyItem()
        object.id = id
        try transaction.add(object)
      }
    }
    nonisolated(unsafe) var found = 0
    NoisyItem.onDeinit = {
      if repository.object(ofType: LiveItem.self, forPrimaryKey: 1) != nil { found += 1 }
    }
    defer { NoisyItem.onDeinit = nil }
    try repository.store().write { transaction in
      for id in 0..<3000 { _ = try transaction.object(ofType: NoisyItem.self, forPrimaryKey: id) }
    }
    #expect(found == 3000)
  }
}
