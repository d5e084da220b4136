public import Fief
public import Testing

/// Gives each test fresh stores: whichever repository the test or the code under test makes finds its
/// store in a place of the test's own.
///
/// ```swift
/// @Suite(.freshStores) struct ShopTests {
///   @Test func adopts() async throws {
///     try await Shop().adopt("Lulu")  // makes its own PetRepository()
///     try expectCount(of: PetRepository(), Dog.self, 1)
///   }
/// }
/// ```
/// After the test each store is checked, open or not, each problem fails the test, and everything is removed.
/// Tests may run in parallel: the places belong to the test's task and the tasks that it starts. Detached
/// tasks, threads and dispatch queues of the code under test are left out, unless the stores are those of the
/// whole process; then only one such test may run at a time (`.serialized`). Code that is left out never
/// reaches the directories of the application: it fails with `FiefError` of code `outsideOfTest`, and so does
/// the test, unless others with fresh stores run at the same time. See `withOwnDirectories(_:)`.
public struct FreshStores: TestTrait, SuiteTrait, TestScoping {
  /// The code whose stores are fresh ones.
  public enum Scope: Sendable {
    /// The test's task and the tasks that it starts.
    case task
    /// The whole process.
    case process
  }

  let kind: StoreKind
  let scope: Scope
  let seeds: [(repository: @Sendable () -> any DatabaseConfigurable, seed: StoreSeed)]

  /// Every test of a suite has stores of its own.
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
  /// Fresh stores in memory for each test.
  public static var freshStores: Self { freshStores() }

  /// Fresh stores for each test.
  ///
  /// - Parameters:
  ///   - kind: the place of the stores.
  ///   - scope: the code whose stores are fresh ones.
  public static func freshStores(_ kind: StoreKind = .inMemory, scope: FreshStores.Scope = .task) -> Self {
    FreshStores(kind: kind, scope: scope, seeds: [])
  }

  /// Fresh stores for each test, one of which holds something at first.
  ///
  /// - Parameters:
  ///   - repository: the repository of the store to be seeded.
  ///   - seed: its first content.
  ///   - kind: the place of the stores.
  ///   - scope: the code whose stores are fresh ones.
  public static func freshStores<Repository: DatabaseConfigurable>(
    seeding repository: @autoclosure @escaping @Sendable () -> Repository,
    with seed: StoreSeed...,
    kind: StoreKind = .inMemory,
    scope: FreshStores.Scope = .task
  ) -> Self {
    FreshStores(kind: kind, scope: scope, seeds: seed.map { (repository, $0) })
  }
}
