import Fief
import FiefTesting
import Foundation
import XCTest

/// Where handlers and objects go to another queue: this mode lets them go as they are.
final class BackgroundServiceTests: StoreTestCase {
  func testTheHandlerComesFromAnotherQueue() {
    let service = DogService(repository: PetRepository.shared)
    let saved = expectation(description: "saved")
    service.saveInBackground(Dog(id: 3, name: "c")) { result in
      XCTAssertEqual(try? result.get(), true)
      saved.fulfill()
    }
    wait(for: [saved], timeout: 600)
    XCTAssertEqual(PetRepository.shared.queryAll(returningClass: Dog.self)?.count, 1)
  }
}

extension DogService {
  func saveInBackground(_ dog: Dog, completion: @escaping Handler) {
    DispatchQueue.global().async {
      self.repository.save(entity: dog, update: true) { result in
        DispatchQueue.main.async { completion(result) }
      }
    }
  }
}
