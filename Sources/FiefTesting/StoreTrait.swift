public import Fief
public import Testing

/// A trait that gives each test a fresh store for one repository type. Stores of other repositories are not
/// affected.
///
/// ```swift
/// @Test(.store(PetRepository(), seed: .jsonFile(Dog.self, at: "dogs.json")))
/// func adopts() async throws { … }
/// ```
/// In the test and the tasks that it starts, every repository of the type uses the test's own store, wherever
/// the repository is created. After the test the store is checked and removed.
public struct StoreTrait: TestTrait, SuiteTrait, TestScoping {
  let makeScope: @Sendable (SourceLocation, @Sendable () async throws -> Void) async throws -> Void

  /// A Boolean value that indicates whether every test of a suite has its own store: `true`.
  public var isRecursive: Bool { true }

  /// Runs a test with a fresh store; called by Swift Testing.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await makeScope(test.sourceLocation, function)
  }
}

extension Trait where Self == StoreTrait {
  /// Gives each test a fresh store.
  ///
  /// - Parameters:
  ///   - repository: the repository of the store, which is created for each test.
  ///   - kind: the kind of the store.
  ///   - seed: the initial content of the store.
  public static func store<Repository: DatabaseConfigurable & SendableMetatype>(
    _ repository: @autoclosure @escaping @Sendable () -> Repository,
    _ kind: StoreKind = .inMemory,
    seed: StoreSeed...
  ) -> Self {
    StoreTrait { location, function in
      let sandbox = try kind.makeSandbox(covering: [Repository.self])
      defer { sandbox.endReporting(at: location) }
      try await sandbox.use {
        let repository = repository()
        if let error = repository.store().openingError { throw error }
        for seed in seed { try seed.plant(repository) }
        try await function()
      }
    }
  }
}
