import Fief
import Foundation

protocol Listing: AnyObject {
  associatedtype Item: Object
  var items: [Item] { get }
  func load()
}

/// A generic view model, not isolated to anything.
class ListViewModel<Item: Object, Repository: DatabaseConfigurable>: Listing {
  private let repository: Repository
  private(set) var items: [Item] = []
  private(set) var message: String?
  /// Called after each handler.
  var onDone: () -> Void = {}

  init(repository: Repository) {
    self.repository = repository
  }

  func load() {
    items = repository.queryAll(returningClass: Item.self)?.map { $0 } ?? []
  }

  func add(_ item: Item, update: Bool = true) {
    repository.save(entity: item, update: update) { result in
      switch result {
      case .success:
        self.message = nil
        self.load()
      case .failure(let error):
        self.message = error.localizedDescription
      }
      self.onDone()
    }
  }

  func remove(_ item: Item) {
    repository.delete(entity: item) { [weak self] result in
      switch result {
      case .success: self?.load()
      case .failure(let error): self?.message = "\(error)"
      }
      self?.onDone()
    }
  }

  func removeAll() {
    repository.deleteAll(deleteObjClass: Item.self) { _ in
      self.load()
      self.onDone()
    }
  }
}

/// State of the main actor, changed in handlers.
@MainActor final class DogsViewModel {
  var names: [String] = []
  var isSaving = false
  var error: Error?
  /// Called after each handler.
  var onDone: () -> Void = {}

  func save(_ names: [String]) {
    isSaving = true
    var saved = 0
    let dogs = names.enumerated().map { Dog(id: $0.offset, name: $0.element) }
    PetRepository.shared.save(entities: dogs) { result in
      switch result {
      case .success:
        saved = dogs.count
        self.isSaving = false
        self.reload()
      case .failure(let error):
        self.error = error
      }
      assert(saved == dogs.count || self.error != nil)
      self.onDone()
    }
  }

  /// Saves, and suspends until the handler was called.
  func saveAndReload(_ names: [String]) async {
    await withCheckedContinuation { continuation in
      onDone = { continuation.resume() }
      save(names)
      assert(isSaving, "the handler is called later")
    }
  }

  func reload() {
    names =
      PetRepository.shared.queryAll(returningClass: Dog.self)?
      .where { $0.name != "" }
      .map { $0.name }
      .sorted() ?? []
  }

  func rename(_ dog: Dog, to name: String) async throws {
    dog.name = name
    try await PetRepository.shared.save(entity: dog, update: true)
    reload()
  }
}

/// A service in the old style: every method passes a handler on.
class DogService {
  typealias Handler = (Result<Bool, Error>) -> Void

  private var waiting: [Handler] = []
  let repository: any DatabaseConfigurable

  init(repository: any DatabaseConfigurable) {
    self.repository = repository
  }

  func save(_ dog: Dog, completion: @escaping Handler) {
    waiting.append(completion)
    repository.save(entity: dog, update: true, completion: completion)
  }

  func saveNow(_ dog: Dog, completion: Handler) {
    completion(
      Result {
        try repository.saveAndWait(entity: dog)
        return true
      }
    )
  }

  func adopt(_ dog: Dog, by name: String) throws {
    let store = repository.store()
    try store.write {
      let person = store.create(Person.self, value: ["name": name])
      store.add(dog, update: .modified)
      person.dogs.append(dog)
      person.address = Address()
      person.address?.street = "Main Street"
    }
  }
}
