import Fief
import FiefTesting
import Foundation
import XCTest

/// The values that closures of asynchronous writes may end in. Most of it is tested by being compiled, as
/// Swift 5 and as Swift 6.
final class BackgroundWriteTests: StoreTestCase {
  func testClosuresThatEndInAnObject() async throws {
    let repository = PetRepository()
    try await repository.write { tx in try tx.create(Dog.self, value: ["id": 1, "name": "Lulu"]) }
    try await repository.write { try $0.create(Dog.self, value: ["id": 2]) }
    try await repository.write { tx in
      let dog = try tx.create(Dog.self, value: ["id": 3])
      dog.name = "Rex"
      return dog
    }
    try await repository.write { tx in
      let dogs = tx.objects(Dog.self).where { $0.id > 1 }
      for dog in dogs { dog.age = 7 }
      return Array(dogs)
    }
    try await repository.write { tx in tx.objects(Dog.self).first }
    try await repository.write { tx in
      guard let dog = tx.objects(Dog.self).last else { return nil as Dog? }
      dog.age += 1
      return dog
    }
    try await repository.write { tx in try tx.create(Person.self).dogs }
    try await repository.store().write { tx in try tx.create(Dog.self, value: ["id": 4]) }
    try await repository.write(withoutNotifying: []) { tx in try tx.create(Dog.self, value: ["id": 5]) }
    try await repository.store().write(withoutNotifying: []) { tx in
      let dog = try tx.create(Dog.self, value: ["id": 6])
      return dog
    }
    XCTAssertEqual(try repository.count(Dog.self), 6)
    XCTAssertEqual(repository.object(ofType: Dog.self, forPrimaryKey: 3)?.name, "Rex")
    XCTAssertEqual(repository.queryAll(returningClass: Dog.self)?.map { $0.age }, [0, 7, 8, 0, 0, 0])
  }

  func testValuesAreReturned() async throws {
    let repository = PetRepository()
    let none = try await repository.write { tx in try tx.count(Dog.self) }
    XCTAssertEqual(none + 0, 0)
    let count = try await repository.write { tx in
      let dog = try tx.create(Dog.self, value: ["id": 1])
      dog.name = "Lulu"
      let count = try tx.count(Dog.self)
      return count
    }
    XCTAssertEqual(count + 0, 1)
    let (id, name) = try await repository.write { tx in
      let dog = try tx.create(Dog.self, value: ["id": 2])
      if dog.name.isEmpty { dog.name = "Rex" }
      return (dog.id, dog.name)
    }
    XCTAssertEqual("\(id) \(name)", "2 Rex")
    let names: [String] = try await repository.write { tx in tx.objects(Dog.self).map { $0.name } }
    XCTAssertEqual(names, ["Lulu", "Rex"])
    let first = try await repository.write { tx in tx.objects(Dog.self).first?.name }
    XCTAssertEqual(first ?? "", "Lulu")
    let inStore = try await repository.store().write { tx in try tx.count(Dog.self) }
    let unheard = try await repository.write(withoutNotifying: []) { tx in try tx.count(Dog.self) }
    XCTAssertEqual(inStore + unheard, 4)
    async let later = repository.write { tx in try tx.count(Dog.self) }
    let number: Int = try await later
    XCTAssertEqual(number, 2)
  }

  func testClosuresThatReturnNothing() async throws {
    let repository = PetRepository()
    try await repository.write { tx in try tx.add(Dog(id: 1, name: "Lulu")) }
    try await repository.write { tx in
      try tx.add(Dog(id: 2, name: "Rex"))
      try tx.add(Dog(id: 3, name: "Bo"))
    }
    try await repository.write { tx in
      let dogs = tx.objects(Dog.self)
      if dogs.count > 5 { return }
      dogs.forEach { $0.age += 1 }
    }
    try await repository.write { tx in
      return try tx.count(Dog.self)
    }
    _ = try await repository.write { tx in try tx.count(Dog.self) }
    XCTAssertEqual(repository.queryAll(returningClass: Dog.self)?.map { $0.age }, [1, 1, 1])
  }

  func testInTasksAndGroups() async throws {
    let task = Task { try await PetRepository.shared.write { try $0.create(Dog.self, value: ["id": 0]) } }
    try await task.value
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 1..<5 {
        group.addTask {
          try await PetRepository.shared.write { tx in try tx.create(Dog.self, value: ["id": id]) }
        }
      }
      try await group.waitForAll()
    }
    XCTAssertEqual(try PetRepository.shared.count(Dog.self), 5)
  }

  @MainActor func testFromTheMainActor() async throws {
    let repository = PetRepository()
    try await repository.write { tx in try tx.create(Dog.self) }
    let count = try await repository.write { tx in try tx.count(Dog.self) }
    XCTAssertEqual(count, 1)
  }

  func testErrorsAreThrown() async throws {
    let repository = PetRepository()
    do {
      try await repository.write { tx in
        try tx.create(Dog.self, value: ["id": 1])
        return try tx.create(Dog.self, value: ["id": 1])
      }
      XCTFail("no error")
    } catch {
      XCTAssertEqual((error as? FiefError)?.code, .duplicatePrimaryKey)
    }
    XCTAssertEqual(try repository.count(Dog.self), 0)
  }

  func testSeveralStores() async throws {
    let manager = StoreManager(repositories: [PetRepository(), OldPetRepository()])
    try await manager.write(to: PetRepository(), and: OldPetRepository()) { new, old in
      try old.create(Dog.self, value: ["id": 1])
      return try new.create(Dog.self, value: ["id": 1])
    }
    try await manager.write(to: PetRepository(), and: OldPetRepository()) { new, _ in
      try new.create(Dog.self, value: ["id": 2])
    }
    try await manager.write(to: [PetRepository(), OldPetRepository()]) { write in
      try write.transaction(of: PetRepository()).create(Dog.self, value: ["id": 3])
    }
    let sum = try await manager.write(to: PetRepository(), and: OldPetRepository()) { new, old in
      let sum = try new.count(Dog.self) * 10 + old.count(Dog.self)
      return sum
    }
    XCTAssertEqual(sum, 31)
  }
}
