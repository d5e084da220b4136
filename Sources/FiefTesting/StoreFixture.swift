public import Fief
import Testing

// SAFETY: the repository is constant; its six requirements have no side effects. `isEnded` is a lock.

/// A fresh store for a repository, in one line; the repository is left as it is.
///
/// ```swift
/// @Test func adopts() throws {
///   let pets = try StoreFixture(PetRepository(), seed: .objects([Dog(value: ["id": 1])]))
///   Shop(repository: pets).adopt(1)
///   try expectCount(of: pets, Dog.self, 0)
/// }
/// ```
/// The fixture is a repository: hand it to code that takes one. Code that makes its own `PetRepository()`
/// finds the fixture's store inside of `redirect(_:)`, and everywhere in a test with the trait
/// `.store(PetRepository())` or `.freshStores`.
///
/// The store has the repository's name, classes, version and migrations. Closing it and opening it again
/// keeps its contents, unless the repository says that it is in memory. When the fixture is released, or
/// with ``end()``, the store is checked, each problem fails the test, and everything is removed. So keep
/// the fixture for as long as its store is used.
public final class StoreFixture<Repository: DatabaseConfigurable>: @unchecked Sendable {
  /// The repository that the store is for.
  public let repository: Repository
  package let sandbox: StoreSandbox
  private let place: Place
  private let sourceLocation: SourceLocation
  private let isEnded = Lock(false)

  private struct Place {
    let memoryType: RealmMemoryType
    let directory: String?
  }

  /// Makes a fresh store, opens it and puts objects into it.
  ///
  /// - Parameters:
  ///   - repository: the description of the store.
  ///   - kind: the place of the store.
  ///   - seed: its first content.
  ///   - fileID: the module and the file where problems are reported that are found when the fixture ends.
  ///   - filePath: the path of that file.
  ///   - line: the line in it.
  ///   - column: the column in the line.
  /// - Throws: `FiefError` where the store cannot be opened; what a seed throws.
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
    // The fixture is complete from here on, so that its deinitializer removes the stores.
    if let error = store().openingError { throw error }
    for seed in seed { try seed.plant(self) }
  }

  deinit { end() }

  /// Calls a closure in which each `Repository` finds its store in this fixture, wherever it is made, in the
  /// closure and in the tasks that it starts; detached tasks and other threads are left out.
  ///
  /// - Returns: what the closure returns.
  public func redirect<Value>(_ body: () throws -> Value) rethrows -> Value {
    try sandbox.use(body)
  }

  /// Calls a closure in which each `Repository` finds its store in this fixture, wherever it is made, in the
  /// closure and in the tasks that it starts; detached tasks and other threads are left out.
  ///
  /// - Returns: what the closure returns.
  nonisolated(nonsending) public func redirect<Value>(_ body: () async throws -> Value) async rethrows
    -> Value
  {
    try await sandbox.use(body)
  }

  /// Checks the store, fails the test with each problem, and removes the store. Further calls do nothing.
  public func end() {
    let isFirst = isEnded.withLock { isEnded in
      defer { isEnded = true }
      return !isEnded
    }
    guard isFirst else { return }
    sandbox.endReporting(at: sourceLocation)
  }
}

/// The store's description: the repository's, but for the place.
extension StoreFixture: DatabaseConfigurable {
  /// The repository's memory type; in memory under an identifier of the fixture's own.
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
  /// The fixture's own.
  public var directory: String? { place.directory }
  /// The repository's store options.
  public var storeOptions: StoreOptions { repository.storeOptions }
}

extension StoreFixture: SandboxedRepository {}
