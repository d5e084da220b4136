import Fief
import FiefTesting
import Foundation
import XCTest

/// Where handlers and objects go to another queue: this mode wants handlers that may, and objects that are made there.
final class BackgroundServiceTests: StoreTestCase {
  func testTheHandlerComesFromAnotherQueue() {
    let service = DogService(repository: PetRepository.shared)
    let saved = expectation(description: "saved")
    service.saveInBackground(id: 3, name: "c") { result in
      XCTAssertEqual(try? result.get(), true)
      saved.fulfill()
    }
    wait(for: [saved], timeout: 600)
    XCTAssertEqual(PetRepository.shared.queryAll(returningClass: Dog.self)?.count, 1)
  }
}

extension DogService {
  func saveInBackground(
    id: Int,
    name: String,
    completion: @escaping @MainActor @Sendable (Result<Bool, Error>) -> Void
  ) {
    DispatchQueue.global().async {
      PetRepository.shared.save(entity: Dog(id: id, name: name), update: true) { result in
        DispatchQueue.main.async { completion(result) }
      }
    }
  }
}
