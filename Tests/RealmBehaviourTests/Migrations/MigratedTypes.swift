import FiefRealm
import FiefTesting
import Foundation
import Testing

enum MigratedSize: String, PersistableEnum {
  case small, large
}

struct MigratedWord: CustomPersistable {
  let text: String
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String { text }
}

enum MigratedBefore {
  final class Toy: Object {
    @Persisted(primaryKey: true) var name = ""
  }
  final class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var toy: Toy?
  }
}

enum MigratedAfter {
  final class Toy: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var price = 1
    @Persisted var next: Toy?
  }
  final class Tag: EmbeddedObject {
    @Persisted var text = "default"
    @Persisted var toy: Toy?
  }
  final class Dog: Object {
    @Persisted var name = "no name"
    @Persisted var age = 0.5
    @Persisted var size = MigratedSize.small
    @Persisted var word = MigratedWord(persistedValue: "")
    @Persisted var home: URL?
    @Persisted var toy: Toy?
    @Persisted var toys: List<Toy>
    @Persisted var toysByName: Map<String, Toy?>
    @Persisted var tag: Tag?
    @Persisted var tags: List<Tag>
    @Persisted var sizes: List<MigratedSize>
    @Persisted var numbers: List<Int>
    @Persisted var words: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted(originProperty: "dog") var owners: LinkingObjects<Owner>
  }
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var dog: Dog?
    static let types: [Object.Type] = [Toy.self, Dog.self, Owner.self]
  }
}

/// Makes a store with a dog and a toy, and migrates it.
///
/// - Parameters:
///   - migrate: the migration.
///   - check: gets the store afterwards; it is not called where the migration failed.
/// - Returns: the error of the migration.
@discardableResult
func migrating(_ migrate: @escaping MigrationBlock, _ check: (Store) throws -> Void) throws -> FiefError? {
  try withFreshStores(.onDisk) { try migratingHere(migrate, check) }
}

private func migratingHere(_ migrate: @escaping MigrationBlock, _ check: (Store) throws -> Void) throws
  -> FiefError?
{
  let before = TestRepository(
    "migrated",
    version: 1,
    objectTypes: [MigratedBefore.Toy.self, MigratedBefore.Dog.self]
  )
  try before.write { (transaction: WriteTransaction) in
    let values: [String: Any] = ["name": "Rex", "age": 7, "toy": ["name": "ball"]]
    _ = try transaction.create(MigratedBefore.Dog.self, value: values)
  }
  before.close()
  let after = TestRepository(
    "migrated",
    version: 2,
    objectTypes: MigratedAfter.Owner.types,
    embedded: [MigratedAfter.Tag.self],
    migration: migrate
  )
  defer { after.close() }
  let store = after.store()
  if let error = store.openingError { return error }
  try check(store)
  #expect(try after.check().problems == [])
  return nil
}
