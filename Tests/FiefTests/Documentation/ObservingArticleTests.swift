import Fief
import Foundation
import Testing

@testable import FiefCore

/// The code of the article about observing: it compiles, runs, and is what the article shows.
@Suite(.timeLimit(.minutes(20))) struct ObservingArticleTests {
  /// The stand-in for a table view.
  private final class Table: Sendable {
    let rows = Lock<[String]>([])
    let errors = Lock<[String]>([])

    func show(_ dogs: [ObsDog]) {
      let names = dogs.map(\.name)
      rows.withLock { $0 = names }
    }
    func show(_ error: any Error) { errors.withLock { $0.append("\(error)") } }
    func remove(at index: Int) { _ = rows.withLock { $0.remove(at: index) } }
    func insert(_ dog: ObsDog?, at index: Int) {
      let name = dog?.name ?? ""
      rows.withLock { $0.insert(name, at: index) }
    }
    func reload(_ dog: ObsDog?, at index: Int) {
      let name = dog?.name ?? ""
      rows.withLock { $0[index] = name }
    }
  }

  typealias Dog = ObsDog

  @Test func aTableFollowsResults() throws {
    try ObsRepository.forBoth { repository in
      try repository.put((0..<20).map { ObsDog($0, "dog \($0)", age: $0) })
      let table = Table()
      // Documentation: begin table
      let dogs = try repository.objects(Dog.self).where { $0.age > 3 }.sorted(byKeyPath: "name")
      let token = dogs.observe { change in
        switch change {
        case .initial(let dogs): table.show(Array(dogs))
        case .update(let dogs, let deletions, let insertions, _):
          for index in deletions.reversed() { table.remove(at: index) }
          for index in insertions { table.insert(dogs[index], at: index) }
          for index in change.newModifications { table.reload(dogs[index], at: index) }
        case .error(let error): table.show(error)
        }
      }
      // Documentation: end table
      for id in 0..<20 { try repository.change(id) { $0.name = "\((id * 7) % 20)" } }
      try repository.change(9) { $0.age = 1 }
      try repository.delivered()
      #expect(table.rows.withLock { $0 } == dogs.map(\.name) && table.errors.withLock { $0 } == [])
      token.invalidate()
    }
  }

  @Test func loopsWritesAndPagesRun() async throws {
    try await ObsRepository.forBoth { repository in
      try repository.put((0..<50).map { ObsDog($0, "dog", age: $0) })
      let dogs = repository.dogs.sorted(byKeyPath: "age")
      let count = Lock(0)
      @Sendable func show(_ dogs: [ObsDog]) {
        let number = dogs.count
        count.withLock { $0 = number }
      }
      let loop = Task {
        // Documentation: begin loop
        for try await change in dogs.changes(keyPaths: ["name", "owner.name"]) {
          guard case .update(let dogs, _, _, _) = change else { continue }
          for index in change.newModifications { print(dogs[index]?.name ?? "") }
          // Documentation: end loop
          break
        }
      }
      // Whenever the loop begins, there is a change after that.
      let changes = Task {
        var number = 0
        while !Task.isCancelled {
          number += 1
          let name = "Rex \(number)"
          try repository.change(1) { $0.name = name }
          try await Task.sleep(for: .milliseconds(2))
        }
      }
      try await loop.value
      changes.cancel()
      _ = await changes.result
      // Documentation: begin pages
      let pages = PagedResults(dogs, pageSize: 20)
      let token = pages.observe(on: MainActor.shared) { _, change in
        switch change {
        case .initial(let dogs), .update(let dogs, _, _, _): show(dogs)
        case .error(let error): print(error)
        }
      }
      pages.loadMore()
      // Documentation: end pages
      while count.withLock({ $0 }) < 40 { try await Task.sleep(for: .milliseconds(1)) }
      #expect(count.withLock { $0 } == 40)
      try Self.rename(repository, token)
    }
  }

  // Documentation: begin screen
  @MainActor final class DogScreen {
    private let dogs: Results<Dog>
    private var token: NotificationToken?
    private(set) var names: [String] = []

    init(_ dogs: Results<Dog>) { self.dogs = dogs }

    func start() {
      token = dogs.observe { [weak self] _ in self?.reload() }
    }

    func reload() { names = dogs.map(\.name) }
  }
  // Documentation: end screen

  @MainActor @Test func aScreenReloads() async throws {
    try await ObsRepository.forBoth { repository in
      let screen = DogScreen(repository.dogs)
      screen.start()
      try repository.put([ObsDog(1, "Rex", age: 1)])
      while screen.names != ["Rex"] { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  @Test func observersAreCalledNotSoOften() throws {
    try ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "Rex", age: 1)])
      let dogs = repository.dogs
      // Documentation: begin throttled
      let token = dogs.observe(every: .milliseconds(250)) { change in print(change) }
      // Documentation: end throttled
      try repository.delivered()
      token.invalidate()
    }
  }

  private static func rename(_ repository: ObsRepository, _ token: NotificationToken) throws {
    // Documentation: begin silent
    try repository.write(withoutNotifying: [token]) { transaction in
      try transaction.object(ofType: Dog.self, forPrimaryKey: 7)?.name = "Bella"
    }
    // Documentation: end silent
    #expect(repository.object(ofType: ObsDog.self, forPrimaryKey: 7)?.name == "Bella")
  }

  @Test(arguments: ["table", "throttled", "loop", "pages", "silent", "screen"])
  func theArticleShowsIt(part: String) throws {
    let code = try ArticleCode.part(part, of: #filePath)
    #expect(try ArticleCode.article("Observing").contains("```swift\n\(code)"))
  }
}
