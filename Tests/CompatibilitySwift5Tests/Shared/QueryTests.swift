import Fief
import FiefTesting
import Foundation
import XCTest

/// Queries as an application writes them.
final class QueryTests: StoreTestCase {
  func testClosuresAndPredicatesFindTheSame() throws {
    let repository = PetRepository.shared
    for (id, name) in ["Ann", "Rex", "anna", "Lulu"].enumerated() {
      let dog = Dog(id: id, name: name, age: id * 2)
      try repository.saveAndWait(entity: dog)
    }
    let dogs = repository.store().objects(Dog.self)
    let names = ["Rex", "Lulu"]
    let least = 3
    XCTAssertEqual(dogs.where { $0.age > least && $0.name.starts(with: "a") }.map(\.id), [2])
    XCTAssertEqual(dogs.filter(#Predicate { $0.age > least && $0.name.starts(with: "a") }).map(\.id), [2])
    XCTAssertEqual(dogs.where { $0.name.in(names) || $0.id + 1 == 1 }.map(\.id), [0, 1, 3])
    XCTAssertEqual(
      dogs.filter(#Predicate { names.contains($0.name) || $0.id + 1 == 1 }).map(\.id),
      [0, 1, 3]
    )
    XCTAssertEqual(
      dogs.where { $0.name.equals("ANN", options: [.caseInsensitive, .diacriticInsensitive]) }.map(\.id),
      [0]
    )
    XCTAssertEqual(dogs.where { $0.owners.count == 0 && !$0.age.contains(1...4) }.map(\.id), [0, 3])
    XCTAssertEqual(dogs.where { $0.owners.name == nil || $0.owners.dogs.age.max > 3 }.count, 0)
  }
}
