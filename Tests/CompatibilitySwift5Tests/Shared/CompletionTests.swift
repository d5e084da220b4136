import Fief
import FiefTesting
import Foundation
import XCTest

final class CompletionTests: StoreTestCase {
  func testGenericViewModels() {
    let model = ListViewModel<Dog, PetRepository>(repository: PetRepository())
    func waitForHandler(_ body: () -> Void) {
      let called = expectation(description: "the handler was called")
      model.onDone = { called.fulfill() }
      body()
      wait(for: [called], timeout: 600)
    }
    waitForHandler { model.add(Dog(id: 1, name: "Lulu")) }
    waitForHandler { model.add(Dog(id: 2, name: "Rex")) }
    XCTAssertEqual(model.items.map(\.name), ["Lulu", "Rex"])
    waitForHandler { model.add(Dog(id: 1, name: "Other"), update: false) }
    XCTAssertNotNil(model.message)
    waitForHandler { model.remove(model.items[0]) }
    XCTAssertEqual(model.items.map(\.name), ["Rex"])
    waitForHandler { model.removeAll() }
    XCTAssertTrue(model.items.isEmpty)
  }

  @MainActor func testHandlersChangeStateOfTheMainActor() async {
    let model = DogsViewModel()
    await model.saveAndReload(["Rex", "Lulu", ""])
    XCTAssertEqual(model.names, ["Lulu", "Rex"])
    XCTAssertFalse(model.isSaving)
    XCTAssertNil(model.error)
  }

  func testHandlersArePassedOn() throws {
    let service = DogService(repository: PetRepository.shared)
    var results: [Bool] = []
    let first = expectation(description: "the first is saved")
    service.save(Dog(id: 1, name: "a")) { result in
      if case .success = result { results.append(true) }
      first.fulfill()
    }
    wait(for: [first], timeout: 600)
    service.saveNow(Dog(id: 2, name: "b")) { result in
      guard case .success = result else { return }
      results.append(true)
    }
    XCTAssertEqual(results, [true, true])
    try service.adopt(Dog(id: 4, name: "d"), by: "Jane")
    let person = PetRepository.shared.queryAll(returningClass: Person.self)?.first
    XCTAssertEqual(person?.dogs.first?.name, "d")
    XCTAssertEqual(person?.address?.street, "Main Street")
    XCTAssertEqual(PetRepository.shared.queryAll(returningClass: Dog.self)?.count, 3)
  }

  func testSwiftsOwnFunctionsOnResults() throws {
    let repository = PetRepository.shared
    let saved = expectation(description: "saved")
    repository.save(entities: (0..<10).map { Dog(id: $0, name: "Dog \(9 - $0)", age: $0 % 3) }) { result in
      if case .failure(let error) = result { XCTFail("\(error)") }
      saved.fulfill()
    }
    wait(for: [saved], timeout: 600)
    let names = repository.queryAll(returningClass: Dog.self)?.where { $0.age == 1 }.map { $0.name }
    XCTAssertEqual(names, ["Dog 8", "Dog 5", "Dog 2"])
    let sorted = repository.queryAll(returningClass: Dog.self)?.sorted { $0.name < $1.name }
    XCTAssertEqual(sorted?.first?.id, 9)
    XCTAssertEqual(sorted?.count, 10)
    XCTAssertEqual(repository.queryAll(returningClass: Dog.self)?.first?.id, 0)
    XCTAssertEqual(repository.queryAll(returningClass: Dog.self)?.first(where: { $0.age == 2 })?.id, 2)
    XCTAssertEqual(repository.queryAll(returningClass: Dog.self)?.last?.id, 9)
    XCTAssertEqual(repository.queryAll(returningClass: Dog.self)?.contains { $0.name == "Dog 3" }, true)
    XCTAssertEqual(repository.queryAll(returningClass: Dog.self)?.reduce(0) { $0 + $1.age }, 9)
    let byName = repository.queryAll(returningClass: Dog.self)?.sorted(byKeyPath: "name", ascending: false)
    XCTAssertEqual(byName?.first?.name, "Dog 9")
    guard let all = repository.queryAll(returningClass: Dog.self) else { return XCTFail("no store") }
    for (index, dog) in all.enumerated() { XCTAssertEqual(index, dog.id) }
    XCTAssertEqual(Array(all).count, 10)
    XCTAssertEqual(Dictionary(grouping: all, by: { $0.age }).count, 3)
    if let dog = all.first { try repository.deleteAndWait(entity: dog) }
    try repository.deleteAndWait(entities: Array(all.prefix(2)))
    let deleted = expectation(description: "deleted")
    repository.delete(entities: Array(all).filter { $0.age == 0 }) { result in
      switch result {
      case .success: break
      case .failure(let error): XCTFail(error.localizedDescription)
      }
      deleted.fulfill()
    }
    wait(for: [deleted], timeout: 600)
    XCTAssertEqual(all.count, 4)
  }

  @MainActor func testSeveralRepositories() throws {
    try AuthRepository.shared.saveAndWait(entity: Token(value: ["value": "secret"]))
    try OldPetRepository().saveAndWait(entity: Dog(id: 1, name: "Old"), update: false)
    XCTAssertEqual(AuthRepository().queryAll(returningClass: Token.self)?.first?.value, "secret")
    XCTAssertEqual(OldPetRepository().queryAll(returningClass: Dog.self)?.count, 1)
    XCTAssertEqual(PetRepository().queryAll(returningClass: Dog.self)?.count, 0)
    withExpectedEvents { XCTAssertNil(PetRepository().queryAll(returningClass: Token.self)) }
    try LogRepository.shared.saveAndWait(entity: Token(value: ["value": "line"]))
    try TokenRepository().saveAndWait(entities: [Token(), Token()])
    XCTAssertEqual(LogRepository.shared.queryAll(returningClass: Token.self)?.count, 1)
    XCTAssertEqual(TokenRepository().queryAll(returningClass: Token.self)?.count, 2)
  }
}
