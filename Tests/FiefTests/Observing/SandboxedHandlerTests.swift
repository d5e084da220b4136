import Fief
import FiefTesting
import Testing

@testable import FiefCore

/// Handlers find the stores of the test that they belong to.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct SandboxedHandlerTests {
  private struct Kennel: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "observedKennel" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [ObsDog.self, ObsOwner.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
    var migrationBlock: MigrationBlock? { nil }
  }

  @Test func handlersAreInTheSandbox() async throws {
    let expected = Kennel().store().directory
    let found = Lock<[String?]>([])
    let note: @Sendable () -> Void = {
      let directory = Kennel().store().directory
      found.withLock { $0.append(directory) }
    }
    let dogs = Kennel().store().objects(ObsDog.self)
    let tokens = [
      dogs.observe { _ in note() },
      dogs.observe(on: .global()) { _ in note() },
      dogs.observe(on: MainActor.shared) { _, _ in note() },
    ]
    try await until { found.withLock { $0.count } == 3 }
    #expect(found.withLock { Set($0) } == [expected])
    withExtendedLifetime(tokens) {}
  }
}
