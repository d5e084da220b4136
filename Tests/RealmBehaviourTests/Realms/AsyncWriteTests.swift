import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Writes of tasks, by the names that code for Realm has.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct AsyncWriteTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func open(_ inMemory: Bool) throws -> Realm {
    var configuration = files.configuration()
    if inMemory { configuration.inMemoryIdentifier = UUID().uuidString }
    return try Realm(configuration: configuration).patient()
  }

  @MainActor @Test(arguments: [false, true]) func objectsThatAreHeldJoin(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let made = try await realm.asyncWrite { realm.create(RealmDog.self, value: ["name": "Rex"]) }
    #expect(made.name == "Rex" && !realm.isInWriteTransaction)
    let dog = try #require(realm.objects(RealmDog.self).first)
    try await realm.asyncWrite {
      MainActor.assertIsolated()
      #expect(realm.isInWriteTransaction && realm.isPerformingAsynchronousWriteOperations)
      dog.age += 4
    }
    #expect(realm.objects(RealmDog.self).first?.age == 4)
  }

  @Test(arguments: [false, true]) func whatTheClosureThrowsIsThrown(inMemory: Bool) async throws {
    struct Failure: Error {}
    let realm = try open(inMemory)
    defer { realm.close() }
    await #expect(throws: Failure.self) {
      try await realm.asyncWrite {
        realm.add(RealmDog(value: ["name": "Rex"]))
        throw Failure()
      }
    }
    #expect(realm.isEmpty)
  }

  @Test(arguments: [false, true]) func itComesAfterTheWritesBeforeIt(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    for name in ["Rex", "Tom"] {
      realm.writeAsync { realm.add(RealmDog(value: ["name": name])) }
    }
    let count = try await realm.asyncWrite { realm.objects(RealmDog.self).count }
    #expect(count == 2 && !realm.isPerformingAsynchronousWriteOperations)
    #expect(await realm.asyncRefresh() == true)
    #expect(await realm.asyncRefresh() == false)
  }

  @Test(arguments: [false, true]) func aTaskThatWasCancelledWritesNothing(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await realm.asyncWrite { realm.add(RealmDog(value: ["name": "Rex"])) }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(realm.isEmpty)
  }

  @MainActor @Test(arguments: [false, true]) func inAWriteItIsAnError(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    realm.beginWrite()
    var code: FiefError.Code?
    do { try await realm.asyncWrite { realm.deleteAll() } } catch { code = (error as? FiefError)?.code }
    #expect(code == .nestedWrite && realm.isInWriteTransaction)
    realm.cancelWrite()
  }

  @MainActor @Test func aStoreIsOpenedForAnActor() async throws {
    let realm = try await Realm(configuration: files.configuration(), actor: MainActor.shared).patient()
    defer { realm.close() }
    #expect(realm.isEmpty)
  }
}

/// Observers of a whole realm.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct RealmObservationTests {
  private final class Names: @unchecked Sendable {
    // SAFETY: guarded by the lock.
    private var counts: [Int] = []
    private let lock = NSLock()
    func note(_ count: Int) { lock.withLock { counts.append(count) } }
    var all: [Int] { lock.withLock { counts } }
  }

  @Test func anObserverIsToldUntilItEnds() async throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [RealmDog.self, RealmCollar.self]
      )
    )
    defer { realm.close() }
    let names = Names()
    let token = realm.observe { notification, realm in
      if notification == .didChange { names.note(realm.objects(RealmDog.self).count) }
    }
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"])) }
    while names.all != [1] { await Task.yield() }
    token.invalidate()
    try realm.write { realm.add(RealmDog(value: ["name": "Tom"])) }
    #expect(names.all == [1])
  }
}
