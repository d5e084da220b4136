public import Fief
import Testing

// SAFETY: the repository is immutable, and its requirements have no side effects. `isEnded` is a lock.

/// A fresh store for a repository. The repository itself is not changed.
///
/// ```swift
/// @Test func adopts() throws {
///   let pets = try StoreFixture(PetRepository(), seed: .objects([Dog(value: ["id": 1])]))
///   Shop(repository: pets).adopt(1)
///   try expectCount(of: pets, Dog.self, 0)
/// }
/// ```
/// The fixture is a repository, so you can pass it to code that takes one. Code that creates its own
/// `PetRepository()` uses the fixture's store inside `redirect(_:)`, and everywhere in a test with the trait
/// `.store(PetRepository())` or `.freshStores`.
///
/// The store has the repository's name, classes, version and migrations. Closing and opening it again keeps
/// its contents, unless the repository specifies that it is in memory. When the fixture is released, or when
/// you call ``end()``, the store is checked, each problem fails the test, and everything is removed.
/// Therefore keep the fixture as long as you use its store.
public final class StoreFixture<Repository: DatabaseConfigurable>: @unchecked Sendable {
  /// The repository whose store the fixture replaces.
  public let repository: Repository
  package let sandbox: StoreSandbox
  private let place: Place
  private let sourceLocation: SourceLocation
  private let isEnded = Lock(false)

  private struct Place {
    let memoryType: RealmMemoryType
    let directory: String?
  }

  /// Creates and opens a fresh store, and adds its initial content.
  ///
  /// - Parameters:
  ///   - repository: the repository of the store.
  ///   - kind: the kind of the store.
  ///   - seed: the initial content of the store.
  ///   - fileID: the module and file in which problems found at the end of the fixture are reported.
  ///   - filePath: the path of that file.
  ///   - line: the line in the file.
  ///   - column: the column in the line.
  /// - Throws: `FiefError` if the store cannot be opened; the error of a seed.
  public init(
    _ repository: Repository,
    _ kind: StoreKind = .inMemory,
    seed: StoreSeed...,
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
  ) throws {
    self.repository = repository
    self.sourceLocation = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let sandbox = try kind.makeSandbox(covering: [Swift.type(of: repository)])
    self.sandbox = sandbox
    switch repository.realmMemoryType {
    case .inMemory(let identifier):
      let own = try sandbox.memoryIdentifier(inPlaceOf: identifier)
      place = Place(memoryType: .inMemory(identifier: own), directory: nil)
    case .inStorage:
      let own = try sandbox.directory(inPlaceOf: repository.directory)
      place = Place(memoryType: .inStorage, directory: own)
    }
    // The fixture is initialized now, so its deinitializer removes the stores if this throws.
    if let error = store().openingError { throw error }
    for seed in seed { try seed.plant(self) }
  }

  deinit { end() }

  /// Calls a closure in which every `Repository` uses the store of this fixture, wherever the repository is
  /// created in the closure and in the tasks that it starts. Detached tasks and other threads are excluded.
  ///
  /// - Returns: the result of the closure.
  public func redirect<Value>(_ body: () throws -> Value) rethrows -> Value {
    try sandbox.use(body)
  }

  /// Calls a closure in which every `Repository` uses the store of this fixture, wherever the repository is
  /// created in the closure and in the tasks that it starts. Detached tasks and other threads are excluded.
  ///
  /// - Returns: the result of the closure.
  nonisolated(nonsending) public func redirect<Value>(_ body: () async throws -> Value) async rethrows
    -> Value
  {
    try await sandbox.use(body)
  }

  /// Checks the store, fails the test with each problem, and removes the store. Further calls have no effect.
  public func end() {
    let isFirst = isEnded.withLock { isEnded in
      defer { isEnded = true }
      return !isEnded
    }
    guard isFirst else { return }
    sandbox.endReporting(at: sourceLocation)
  }
}

/// The repository's own configuration, except for the location of the store.
extension StoreFixture: DatabaseConfigurable {
  /// The repository's memory type. In memory, the fixture uses a unique identifier.
  public var realmMemoryType: RealmMemoryType { place.memoryType }
  /// The repository's schema name.
  public var schemaName: String? { repository.schemaName }
  /// The repository's schema version.
  public var schemaVersion: UInt64? { repository.schemaVersion }
  /// The repository's object types.
  public var objectTypes: [Object.Type]? { repository.objectTypes }
  /// The repository's embedded object types.
  public var embeddedObjectTypes: [EmbeddedObject.Type]? { repository.embeddedObjectTypes }
  /// The repository's migration block.
  public var migrationBlock: MigrationBlock? { repository.migrationBlock }
  /// The repository's migration plan.
  public var migrationPlan: MigrationPlan? { repository.migrationPlan }
  /// The directory of the fixture.
  public var directory: String? { place.directory }
  /// The repository's store options.
  public var storeOptions: StoreOptions { repository.storeOptions }
}

extension StoreFixture: SandboxedRepository {}
