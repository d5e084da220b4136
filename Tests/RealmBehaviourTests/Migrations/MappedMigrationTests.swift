import FiefRealm
import FiefTesting
import Foundation
import Testing

private enum MappedBefore {
  final class Film: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var beforeTitle = ""
    @Persisted var next: Film?
    override static func propertiesMapping() -> [String: String] {
      ["id": "custom_id", "next": "custom_next"]
    }
  }
}

private enum MappedAfter {
  final class Film: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var year = 0
    @Persisted var next: Film?
    override static func propertiesMapping() -> [String: String] {
      ["id": "custom_id", "title": "custom_title", "next": "custom_next", "year": "custom_year"]
    }
  }
}

/// Migrations of classes whose columns have other names than their properties.
struct MappedMigrationTests {
  private func migrating(_ migrate: @escaping MigrationBlock, _ check: (Store) throws -> Void) throws
    -> FiefError?
  {
    try withFreshStores(.onDisk) {
      let before = TestRepository("films", version: 1, objectTypes: [MappedBefore.Film.self])
      try before.write { (transaction: WriteTransaction) in
        let film = MappedBefore.Film()
        film.beforeTitle = "first"
        film.next = MappedBefore.Film(value: ["id": 1, "beforeTitle": "second"])
        try transaction.add(film)
      }
      before.close()
      let after = TestRepository(
        "films",
        version: 2,
        objectTypes: [MappedAfter.Film.self],
        migration: migrate
      )
      defer { after.close() }
      let store = after.store()
      if let error = store.openingError { return error }
      try check(store)
      #expect(try after.check().problems == [])
      return nil
    }
  }

  @Test(arguments: ["title", "custom_title"]) func propertiesHaveBothNames(_ title: String) throws {
    let error = try migrating { migration, _ in
      migration.renameProperty(onType: "Film", from: "beforeTitle", to: title)
      migration.enumerateObjects(ofType: "Film") { old, new in
        #expect(
          old?["custom_id"] as? Int == new?["id"] as? Int && new?["custom_id"] as? Int == new?.id as? Int
        )
        #expect(new?["title"] as? String == old?["beforeTitle"] as? String)
        #expect(old?.objectSchema.className == "Film" && old?.objectSchema["beforeTitle"] != nil)
        #expect(new?.objectSchema.properties == migration.newSchema["Film"]?.properties)
        let next = new?["next"] as? MigrationObject
        #expect(next?["id"] as? Int == (old?["custom_next"] as? MigrationObject)?["custom_id"] as? Int)
        new?["year"] = 1900
        new?.title = "\(new?["custom_title"] as? String ?? "")!"
      }
      migration.create("Film", value: ["id": 2, "custom_title": "third", "year": 3])
      migration.create("Film", value: [3, "fourth"])
    } _: { store in
      let films = store.objects(MappedAfter.Film.self).sorted(byKeyPath: "id")
      #expect(films.map(\.title) == ["first!", "second!", "third", "fourth"])
      #expect(films.map(\.year) == [1900, 1900, 3, 0] && films.first?.next?.id == 1)
    }
    #expect(error == nil)
  }

  @Test func aValueByBothNamesIsAnError() throws {
    let error = try migrating { migration, _ in
      migration.discard("Film.beforeTitle")
      migration.create("Film", value: ["id": 2, "custom_title": "a", "title": "b"])
    } _: { _ in
      Issue.record("The migration has not failed.")
    }
    #expect(error?.code == .invalidValue && error?.property == "title")
  }

  @Test func anOldObjectHasTheNamesOfItsColumns() throws {
    let error = try migrating { migration, _ in
      migration.discard("Film.beforeTitle")
      migration.enumerateObjects(ofType: "Film") { old, _ in _ = old?["id"] }
    } _: { _ in
      Issue.record("The migration has not failed.")
    }
    #expect(error?.code == .unknownProperty)
  }
}
