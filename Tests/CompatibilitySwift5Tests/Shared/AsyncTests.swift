import Fief
import FiefTesting
import Foundation
import XCTest

actor Kennel {
  private let repository = PetRepository()
  private var rooms = 0

  func add(_ name: String) async throws {
    rooms += 1
    let dog = Dog(id: rooms, name: name)
    try await repository.save(entity: dog, update: false)
    dog.age = 1
    try await repository.save(entity: dog, update: true)
  }

  func addAll(_ names: [String]) async throws -> Int {
    let dogs = names.map { name -> Dog in
      rooms += 1
      return Dog(id: rooms, name: name)
    }
    try await repository.save(entities: dogs)
    return try repository.count(Dog.self)
  }

  func empty() async throws {
    try await repository.deleteAll(deleteObjClass: Dog.self)
  }
}

final class AsyncTests: StoreTestCase {
  func testFromAnActor() async throws {
    let kennel = Kennel()
    try await kennel.add("Lulu")
    let count = try await kennel.addAll(["Rex", "Bo"])
    XCTAssertEqual(count, 3)
    XCTAssertEqual(PetRepository.shared.object(ofType: Dog.self, forPrimaryKey: 1)?.age, 1)
    try await kennel.empty()
    XCTAssertEqual(try PetRepository.shared.count(Dog.self), 0)
  }

  @MainActor func testFromTheMainActor() async throws {
    let model = DogsViewModel()
    await model.saveAndReload(["Rex"])
    let dog = try XCTUnwrap(PetRepository.shared.object(ofType: Dog.self, forPrimaryKey: 0))
    try await model.rename(dog, to: "Lulu")
    XCTAssertEqual(model.names, ["Lulu"])
    try await PetRepository.shared.delete(entity: dog)
    XCTAssertEqual(try PetRepository.shared.count(Dog.self), 0)
  }

  func testFromTasks() async throws {
    let repository = PetRepository.shared
    _ = try await Task { try await PetRepository.shared.save(entity: Dog(id: 1, name: "Lulu"), update: true) }
      .value
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 2..<40 {
        group.addTask { try await PetRepository.shared.save(entity: Dog(id: id, name: "Dog"), update: false) }
      }
      try await group.waitForAll()
    }
    try await repository.write { transaction in
      transaction.objects(Dog.self).forEach { $0.age += 1 }
    }
    XCTAssertEqual(repository.queryAll(returningClass: Dog.self)?.where { $0.age == 1 }.count, 39)
    do {
      try await repository.save(entity: Dog(id: 1, name: "Twice"), update: false)
      XCTFail("no error")
    } catch {
      XCTAssertEqual((error as? FiefError)?.code, .duplicatePrimaryKey)
    }
  }

  func testHandlersAsContinuations() async throws {
    let isSaved: Bool = try await withCheckedThrowingContinuation { continuation in
      PetRepository.shared.save(entity: Dog(id: 1, name: "Lulu"), update: true) {
        continuation.resume(with: $0)
      }
    }
    XCTAssertTrue(isSaved)
  }
}
