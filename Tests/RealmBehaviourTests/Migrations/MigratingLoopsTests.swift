import FiefRealm
import FiefTesting
import Foundation
import Testing

/// The objects that a loop of a migration goes through.
struct MigratingLoopsTests {
  @Test func deletedAndCreatedObjectsAreInNoLaterLoop() throws {
    let error = try migrating { migration, _ in
      var names: [String] = []
      migration.enumerateObjects(ofType: "Dog") { old, new in
        names.append(old?["name"] as? String ?? "")
        if let new { migration.delete(new) }
        migration.create("Dog", value: ["made"])
      }
      #expect(names == ["Rex"])
      migration.enumerateObjects(ofType: "Dog") { _, _ in Issue.record("The object was deleted.") }
    } _: { store in
      #expect(store.objects(MigratedAfter.Dog.self).map(\.name) == ["made"])
    }
    #expect(error == nil)
  }

  @Test func deletedDataIsInNoLaterLoop() throws {
    let error = try migrating { migration, _ in
      #expect(migration.deleteData(forType: "Dog"))
      #expect(!migration.deleteData(forType: "NoSuchType"))
      migration.create("Dog", value: ["made"])
      migration.enumerateObjects(ofType: "Dog") { _, _ in Issue.record("The objects were deleted.") }
    } _: { store in
      #expect(store.objects(MigratedAfter.Dog.self).map(\.name) == ["made"])
    }
    #expect(error == nil)
  }

  @Test func aPropertyThatThereIsNotFailsTheMigration() throws {
    for isOld in [true, false] {
      let error = try migrating { migration, _ in
        migration.enumerateObjects(ofType: "Dog") { old, new in _ = (isOld ? old : new)?["noSuchProperty"] }
      } _: { _ in
        Issue.record("The migration has not failed.")
      }
      #expect(error?.code == .unknownProperty && error?.property == "noSuchProperty")
    }
  }

  @Test func aPropertyIsRenamed() throws {
    let error = try migrating { migration, _ in
      migration.renameProperty(onType: "Dog", from: "name", to: "word")
      migration.enumerateObjects(ofType: "Dog") { old, new in
        #expect(old?["name"] as? String == "Rex" && new?["word"] as? String == "Rex")
      }
    } _: { store in
      #expect(store.objects(MigratedAfter.Dog.self).map(\.word.text) == ["Rex"])
    }
    #expect(error == nil)
  }
}
