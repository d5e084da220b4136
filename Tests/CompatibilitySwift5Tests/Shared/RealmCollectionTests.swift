import FiefRealm
import FiefTesting
import Foundation
import XCTest

/// A list on a screen, as code for Realm has it.
final class DogList {
  private var dogs: Results<Dog>
  private var tokens: Set<NotificationToken> = []
  var selection: Dog?

  init(_ realm: Realm) { dogs = realm.objects(Dog.self).sorted(byKeyPath: "id") }

  var rows: Int { dogs.count }

  func title(at row: Int) -> String {
    let dog = dogs[row]
    return "\(dog.name), \(dog.age)"
  }

  func select(_ dog: Dog) -> Int? {
    selection = dogs.firstIndex { $0.isSameObject(as: dog) }.map { dogs[$0] }
    return dogs.indices.first { dogs[$0].id == dog.id }
  }

  func freeze() { dogs = dogs.freeze() }

  func titles() -> [String] { dogs.indices.map(title) }

  func firstPage() -> ArraySlice<String> { titles()[..<dogs[..<2].count] }

  func observe(_ realm: Realm) { tokens.insert(realm.observe { _, _ in }) }

  func add(_ dog: Dog, to realm: Realm, update: Realm.UpdatePolicy = .error) throws {
    try realm.write { realm.add(dog, update: update) }
  }
}

final class RealmCollectionTests: StoreTestCase {
  private func realm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [Person.self, Dog.self, Address.self, Token.self]
      )
    )
  }

  func testResultsAreACollection() throws {
    let realm = try realm()
    let list = DogList(realm)
    list.observe(realm)
    for id in 0..<3 { try list.add(Dog(id: id, name: "Rex", age: id), to: realm) }
    XCTAssertEqual(list.rows, 3)
    XCTAssertEqual(list.title(at: 1), "Rex, 1")
    XCTAssertEqual(Array(list.firstPage()), ["Rex, 0", "Rex, 1"])
    XCTAssertEqual(list.select(Dog(value: realm.objects(Dog.self)[2])), 2)
    list.freeze()
    try realm.write { realm.deleteAll() }
    XCTAssertEqual(list.titles(), ["Rex, 0", "Rex, 1", "Rex, 2"])
    realm.close()
  }
}
