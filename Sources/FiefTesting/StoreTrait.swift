public import Fief
public import Testing

/// Gives each test a fresh store for one repository type; those of other repositories are left as they
/// are.
///
/// ```swift
/// @Test(.store(PetRepository(), seed: .jsonFile(Dog.self, at: "dogs.json")))
/// func adopts() async throws { … }
/// ```
/// In the test and the tasks that it starts each repository of the type finds its store in the test's own
/// place, wherever it is made. After the test the store is checked and removed.
public struct StoreTrait: TestTrait, SuiteTrait, TestScoping {
  let makeScope: @Sendable (SourceLocation, @Sendable () async throws -> Void) async throws -> Void

  /// Every test of a suite has a store of its own.
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
  /// A fresh store for each test.
  ///
  /// - Parameters:
  ///   - repository: the description of the store; created for each test.
  ///   - kind: the place of the store.
  ///   - seed: its first content.
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
