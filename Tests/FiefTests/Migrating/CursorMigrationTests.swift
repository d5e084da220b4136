import Fief
import Foundation
import Testing

/// Cursors that were handed out before the property that their query is ordered by got another type.
@Suite struct CursorMigrationTests {
  enum Before {
    final class Item: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted(indexed: true) var wide: Int32 = 0
      @Persisted var narrow: Int16 = 0
      @Persisted(indexed: true) var ratio: Float = 0
      @Persisted var share: Float = 0
      @Persisted(indexed: true) var word = ""
      @Persisted var text = ""
    }
  }

  enum After {
    final class Item: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted(indexed: true) var wide = 0
      @Persisted var narrow = 0
      @Persisted(indexed: true) var ratio = 0.0
      @Persisted var share = 0.0
      @Persisted(indexed: true) var word = 0
      @Persisted var text = 0
    }
  }

  private struct Repository: DatabaseConfigurable {
    var realmMemoryType = RealmMemoryType.inStorage
    var schemaName: String? { "cursors" }
    var schemaVersion: UInt64? = 1
    var objectTypes: [Object.Type]? = [Before.Item.self]
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock?
    var directory: String?
    var storeOptions = StoreOptions()

    static func after(_ directory: TemporaryDirectory, inMemory: Bool) -> Repository {
      var repository = Repository(schemaVersion: 2, objectTypes: [After.Item.self], directory: directory.path)
      repository.migrationBlock = { migration, _ in
        migration.enumerateObjects(ofType: "Item") { old, new in
          for name in ["word", "text"] { new?[name] = (old?[name] as? String).flatMap { Int($0) } ?? -1 }
        }
      }
      if inMemory {
        repository.realmMemoryType = .inMemory(identifier: UUID().uuidString)
        repository.storeOptions.seedFile = directory["cursors"]
        repository.directory = nil
      }
      return repository
    }
  }

  /// The number of objects behind which each cursor is.
  private static let place = 40

  /// A cursor for the order of each property.
  private func cursors(_ directory: TemporaryDirectory, ascending: Bool) throws -> [String: QueryCursor] {
    let repository = Repository(directory: directory.path)
    defer { repository.closeChecked() }
    try repository.write { transaction in
      for id in 0..<200 where try transaction.object(ofType: Before.Item.self, forPrimaryKey: id) == nil {
        let item = Before.Item()
        item.id = id
        item.wide = Int32(id * 37 % 50 - 25)
        item.narrow = Int16(id * 31 % 40 - 20)
        item.ratio = Float(id * 41 % 60) / 7
        item.share = Float(id * 43 % 70 - 35) / 3
        item.word = "\(id * 47 % 120)"
        item.text = "\(id * 53 % 120)"
        try transaction.add(item)
      }
    }
    var cursors: [String: QueryCursor] = [:]
    for name in ["wide", "narrow", "ratio", "share", "word", "text"] {
      let items = repository.store().objects(Before.Item.self).sorted(byKeyPath: name, ascending: ascending)
      let end = try items.page(Self.place).end
      // The cursor as a client sends it back later.
      cursors[name] = try QueryCursor(text: try #require(end).text)
    }
    return cursors
  }

  @Test(arguments: [true, false], [true, false])
  func theyAreRightOrRefused(inMemory: Bool, ascending: Bool) throws {
    let directory = try TemporaryDirectory()
    let cursors = try cursors(directory, ascending: ascending)
    let repository = Repository.after(directory, inMemory: inMemory)
    defer { repository.closeChecked() }
    for (name, cursor) in cursors {
      let items = repository.store().objects(After.Item.self).sorted(byKeyPath: name, ascending: ascending)
      let ids = try items.all().map(\.id)
      if ["word", "text"].contains(name) {
        // These columns have another order now.
        for _ in 0..<2 {
          let error = #expect(throws: FiefError.self) { try items.page(20, after: cursor) }
          #expect(error?.code == .invalidCursor || error?.code == .invalidQuery, "\(name)")
          #expect(throws: FiefError.self) { try items.page(20, before: cursor) }
          #expect(throws: FiefError.self) { try items.start(after: cursor).all() }
          // A page of the query as it is now makes no difference.
          #expect(try items.page(20).objects.map(\.id) == Array(ids[..<20]))
        }
        continue
      }
      var place = Self.place
      var next: QueryCursor? = cursor
      #expect(
        try items.page(20, before: next).objects.map(\.id) == Array(ids[(place - 20 - 1)..<(place - 1)])
      )
      while let cursor = next {
        let page = try items.page(20, after: cursor)
        #expect(page.objects.map(\.id) == Array(ids[place...].prefix(20)), "\(name) from \(place)")
        place += page.objects.count
        next = page.hasMore ? page.end : nil
      }
      #expect(place == ids.count, "\(name)")
    }
  }
}
