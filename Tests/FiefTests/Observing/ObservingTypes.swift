import Fief
import Foundation
import Testing

@testable import FiefCore

final class ObsDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(indexed: true) var age = 0
  @Persisted var owner: ObsOwner?
  @Persisted var nicknames: List<String>
  @Persisted var labels: Map<String, String>

  convenience init(_ id: Int, _ name: String = "", age: Int = 0) {
    self.init()
    self.id = id
    self.name = name
    self.age = age
  }
}

final class ObsOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var dogs: List<ObsDog>

  convenience init(_ id: Int, _ name: String) {
    self.init()
    self.id = id
    self.name = name
  }
}

struct ObsRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? = "observed"
  var storeOptions = StoreOptions()
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [ObsDog.self, ObsOwner.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }

  /// Calls a closure with a store on disk and with one in memory, each of its own.
  static func forBoth(_ body: (ObsRepository) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let disk = ObsRepository(realmMemoryType: .inStorage, directory: directory.path)
    try body(disk)
    disk.closeChecked()
    let memory = ObsRepository(realmMemoryType: .inMemory(identifier: UUID().uuidString))
    try body(memory)
    memory.closeChecked()
  }

  /// The same for closures that wait.
  nonisolated(nonsending) static func forBoth(
    _ body: nonisolated(nonsending) (ObsRepository) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let disk = ObsRepository(realmMemoryType: .inStorage, directory: directory.path)
    try await body(disk)
    disk.closeChecked()
    let memory = ObsRepository(realmMemoryType: .inMemory(identifier: UUID().uuidString))
    try await body(memory)
    memory.closeChecked()
  }

  var dogs: Results<ObsDog> { store().objects(ObsDog.self) }

  func put(_ dogs: [ObsDog]) throws {
    try write { transaction in for dog in dogs { try transaction.add(dog, update: .all) } }
  }

  func change(_ id: Int, _ body: (ObsDog) -> Void) throws {
    try write { transaction in
      body(try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: id)))
    }
  }

  /// A write on this thread, also where one could wait.
  func writeNow(silent: [NotificationToken], _ body: (WriteTransaction) throws -> Void) throws {
    try write(withoutNotifying: silent, body)
  }

  func delivered() throws { try store().waitUntilDelivered() }
}

/// The calls of a handler, as text and as the names that the changes lead to.
final class ObsHeard: Sendable {
  struct State {
    var calls: [String] = []
    var names: [String] = []
    var wrong: [String] = []
  }

  let state = Lock(State())

  var calls: [String] { state.withLock { $0.calls } }
  var names: [String] { state.withLock { $0.names } }
  var wrong: [String] { state.withLock { $0.wrong } }

  /// Notes a change, and applies it to the names by its indexes alone.
  func note(_ change: RealmCollectionChange<Results<ObsDog>>) {
    switch change {
    case .initial(let dogs):
      let names = dogs.map(Self.name)
      state.withLock {
        if !$0.calls.isEmpty { $0.wrong.append("an initial state after \($0.calls)") }
        $0.calls.append("initial \(names.count)")
        $0.names = names
      }
    case .update(let dogs, let deletions, let insertions, let modifications):
      let names = dogs.map(Self.name)
      let modified = change.newModifications
      state.withLock { state in
        state.calls.append("-\(deletions) +\(insertions) ~\(modifications)")
        for index in deletions.reversed() { state.names.remove(at: index) }
        for index in insertions { state.names.insert(names[index], at: index) }
        for index in modified { state.names[index] = names[index] }
        if state.names != names { state.wrong.append("\(state.names) is not \(names)") }
      }
    case .error(let error): state.withLock { $0.calls.append("\((error as? FiefError)?.code as Any)") }
    }
  }

  private static func name(_ dog: ObsDog) -> String { "\(dog.id):\(dog.name):\(dog.age)" }
}
