import Fief
import Testing

/// Handlers of the main actor use its state without further annotations.
@Suite(.timeLimit(.minutes(20))) @MainActor struct MainActorObservingTests {
  /// A class that counts the calls of its handlers.
  @MainActor private final class Model {
    var calls: [String: Int] = [:]
    var tokens: [NotificationToken] = []

    func called(_ name: String) {
      MainActor.assertIsolated()
      calls[name, default: 0] += 1
    }

    func observe(_ repository: ObsRepository) throws {
      let (dog, owner) = try repository.write { transaction in
        let dog = try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 1))
        let owner = try transaction.create(ObsOwner.self, value: ["id": 1, "name": "Ann"])
        owner.dogs.append(dog)
        return (dog, owner)
      }
      let dogs = repository.dogs
      let main = MainActor.shared
      tokens = [
        dogs.observe(on: main) { [weak self] _ in self?.called("results") },
        dogs.observe(keyPaths: ["name"], on: main) { [weak self] _ in self?.called("names") },
        dogs.observe(keyPaths: [\.name], on: main) { [weak self] _ in self?.called("key paths") },
        dogs.sectioned(by: \.age).observe(on: main) { [weak self] _ in self?.called("sections") },
        owner.dogs.observe(on: main) { [weak self] _ in self?.called("list") },
        dog.labels.observe(on: main) { [weak self] _ in self?.called("map") },
        dog.observe(on: main) { [weak self] _ in self?.called("object") },
        dog.observe(keyPaths: [\.name], on: main) { [weak self] _ in self?.called("properties") },
        try repository.observe(on: main) { [weak self] _ in self?.called("repository") },
        try repository.store().observe(on: main) { [weak self] _ in self?.called("store") },
      ]
    }
  }

  @Test func everyHandlerRunsOnTheMainActor() async throws {
    try await ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "Rex", age: 1)])
      let model = Model()
      try model.observe(repository)
      let all = [
        "results", "names", "key paths", "sections", "list", "map", "object", "properties", "repository",
        "store",
      ]
      var number = 0
      while !all.allSatisfy({ model.calls[$0] ?? 0 > 1 }) {
        number += 1
        try repository.change(1) { dog in
          dog.name = "Rex \(number)"
          dog.labels["number"] = "\(number)"
        }
        try await Task.sleep(for: .milliseconds(2))
      }
      for token in model.tokens { token.invalidate() }
    }
  }
}
