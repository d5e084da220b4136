public import Fief
public import Testing

/// A trait that gives each test fresh stores. Every repository that the test or the code under test creates
/// uses a store that belongs to the test.
///
/// ```swift
/// @Suite(.freshStores) struct ShopTests {
///   @Test func adopts() async throws {
///     try await Shop().adopt("Lulu")  // makes its own PetRepository()
///     try expectCount(of: PetRepository(), Dog.self, 1)
///   }
/// }
/// ```
/// After the test each store is checked, whether or not it is open. Each problem fails the test, and
/// everything is removed. Tests may run in parallel, because the stores belong to the test's task and the
/// tasks that it starts. Detached tasks, threads and dispatch queues of the code under test are excluded,
/// unless the scope is the whole process; only one test with that scope may run at a time (`.serialized`).
///
/// Excluded code never reaches the directories of the application. It fails with `FiefError` of code
/// `outsideOfTest`, and the test fails, too, unless other tests with fresh stores run at the same time. See
/// `withOwnDirectories(_:)`.
public struct FreshStores: TestTrait, SuiteTrait, TestScoping {
  /// The code that uses the fresh stores.
  public enum Scope: Sendable {
    /// The test's task and the tasks that it starts.
    case task
    /// The whole process.
    case process
  }

  let kind: StoreKind
  let scope: Scope
  let seeds: [(repository: @Sendable () -> any DatabaseConfigurable, seed: StoreSeed)]

  /// A Boolean value that indicates whether every test of a suite has its own stores: `true`.
  public var isRecursive: Bool { true }

  /// Runs a test in fresh stores; called by Swift Testing.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let sandbox = try kind.makeSandbox()
    defer { sandbox.endReporting(at: test.sourceLocation) }
    if scope == .process { sandbox.install() }
    try await sandbox.use {
      for (repository, seed) in seeds { try seed.plant(repository()) }
      try await function()
    }
  }
}

extension Trait where Self == FreshStores {
  /// Gives each test fresh stores in memory.
  public static var freshStores: Self { freshStores() }

  /// Gives each test fresh stores.
  ///
  /// - Parameters:
  ///   - kind: the kind of the stores.
  ///   - scope: the code that uses the fresh stores.
  public static func freshStores(_ kind: StoreKind = .inMemory, scope: FreshStores.Scope = .task) -> Self {
    FreshStores(kind: kind, scope: scope, seeds: [])
  }

  /// Gives each test fresh stores, one of which has initial content.
  ///
  /// - Parameters:
  ///   - repository: the repository of the store to seed.
  ///   - seed: the initial content of the store.
  ///   - kind: the kind of the stores.
  ///   - scope: the code that uses the fresh stores.
  public static func freshStores<Repository: DatabaseConfigurable>(
    seeding repository: @autoclosure @escaping @Sendable () -> Repository,
    with seed: StoreSeed...,
    kind: StoreKind = .inMemory,
    scope: FreshStores.Scope = .task
  ) -> Self {
    FreshStores(kind: kind, scope: scope, seeds: seed.map { (repository, $0) })
  }
}
