import Fief
import Foundation
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

    /// Observes everything, with and without `on:`.
    func observe(_ repository: ObsRepository) throws {
      let (dog, owner) = try repository.write { transaction in
        let dog = try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 1))
        let owner = try transaction.create(ObsOwner.self, value: ["id": 1, "name": "Ann"])
        owner.dogs.append(dog)
        return (dog, owner)
      }
      let dogs = repository.dogs
      let main = MainActor.shared
      // Without `on:` a handler runs on the actor of its closure.
      tokens = [
        dogs.observe { [weak self] _ in self?.called("bare results") },
        dogs.observe(keyPaths: ["name"]) { [weak self] _ in self?.called("bare names") },
        dogs.observe(keyPaths: [\.name]) { [weak self] _ in self?.called("bare key paths") },
        dogs.sectioned(by: \.age).observe { [weak self] _ in self?.called("bare sections") },
        owner.dogs.observe { [weak self] _ in self?.called("bare list") },
        dog.labels.observe { [weak self] _ in self?.called("bare map") },
        dog.observe { [weak self] _ in self?.called("bare object") },
        dog.observe(keyPaths: [\.name]) { [weak self] _ in self?.called("bare properties") },
        try repository.observe { [weak self] _ in self?.called("bare repository") },
        try repository.store().observe { [weak self] _ in self?.called("bare store") },
      ]
      tokens += [
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
      let named = [
        "results", "names", "key paths", "sections", "list", "map", "object", "properties", "repository",
        "store",
      ]
      let all = named + named.map { "bare " + $0 }
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

  /// An actor that observes, and counts the calls of its handler.
  private actor Counter {
    var calls = 0
    private var token: NotificationToken?

    func observe(_ dogs: Results<ObsDog>) {
      token = dogs.observe { _ in self.called() }
    }

    func end() { token?.invalidate() }

    private func called() {
      assertIsolated()
      calls += 1
    }
  }

  @Test func aHandlerRunsOnTheActorOfItsClosure() async throws {
    try await ObsRepository.forBoth { repository in
      let counter = Counter()
      await counter.observe(repository.dogs)
      while await counter.calls == 0 { try await Task.sleep(for: .milliseconds(1)) }
      try repository.put([ObsDog(1, "Rex", age: 1)])
      while await counter.calls < 2 { try await Task.sleep(for: .milliseconds(1)) }
      await counter.end()
    }
  }

  @Test func aHandlerWithoutAQueueRunsOnAThreadOfTheLibrary() async throws {
    try await ObsRepository.forBoth { repository in
      let wasOnMain = Lock<Bool?>(nil)
      let token = repository.dogs.observe(on: nil) { _ in wasOnMain.withLock { $0 = Self.isOnMain } }
      while wasOnMain.withLock({ $0 }) == nil { try await Task.sleep(for: .milliseconds(1)) }
      #expect(wasOnMain.withLock { $0 } == false)
      token.invalidate()
    }
  }

  nonisolated private static var isOnMain: Bool { Thread.isMainThread }
}
