import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Writes that are begun later, and ended by calls of their own.
@Suite(.freshStores, .timeLimit(.minutes(20))) @MainActor struct LaterWriteTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func open(_ inMemory: Bool) throws -> Realm {
    var configuration = files.configuration()
    if inMemory { configuration.inMemoryIdentifier = UUID().uuidString }
    return try Realm(configuration: configuration).patient()
  }

  private func names(_ realm: Realm) -> [String] { realm.objects(RealmDog.self).map(\.name).sorted() }

  /// Suspends until what was left to the store is done.
  private func wait(_ realm: Realm) async {
    while realm.isPerformingAsynchronousWriteOperations { await Task.yield() }
  }

  @Test(arguments: [false, true]) func aWriteThatWasLeftIsCancelledByItsNumber(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    // The writes wait for this one.
    realm.beginWrite()
    var calls: [String] = []
    let cancelled = realm.writeAsync {
      Issue.record("The closure was called.")
    } onComplete: { _ in
      Issue.record("The handler was called.")
    }
    let kept: AsyncTransactionId = realm.writeAsync {
      realm.create(RealmDog.self, value: ["name": "Rex"])
    } onComplete: { error in
      calls.append("\(error == nil)")
    }
    #expect(cancelled != kept && realm.isPerformingAsynchronousWriteOperations)
    try realm.cancelAsyncWrite(cancelled)
    realm.cancelWrite()
    await wait(realm)
    while calls.isEmpty { await Task.yield() }
    #expect(calls == ["true"] && names(realm) == ["Rex"])
    try realm.cancelAsyncWrite(kept)
    #expect(names(realm) == ["Rex"])
  }

  @Test(arguments: [false, true]) func aClosureIsCalledInItsWrite(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    try realm.write { realm.create(RealmDog.self, value: ["name": "Rex"]) }
    let dog = try #require(realm.objects(RealmDog.self).first)
    let unsaved = RealmDog(value: ["name": "Tom"])
    var calls: [String] = []
    realm.beginAsyncWrite {
      MainActor.assertIsolated()
      #expect(realm.isInWriteTransaction)
      dog.age = 4
      realm.add(unsaved)
      calls.append("write")
      realm.commitAsyncWrite { error in
        MainActor.assertIsolated()
        #expect(error == nil && realm.objects(RealmDog.self).filter("age == 4").count == 1)
        calls.append("end")
      }
      #expect(!realm.isInWriteTransaction && realm.isPerformingAsynchronousWriteOperations)
      calls.append("after")
    }
    #expect(calls.isEmpty && !realm.isInWriteTransaction && realm.isPerformingAsynchronousWriteOperations)
    await wait(realm)
    #expect(calls == ["write", "after", "end"] && names(realm) == ["Rex", "Tom"] && dog.age == 4)
  }

  @Test(arguments: [false, true]) func whatIsNotCommittedIsNotKept(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    var calls = 0
    realm.beginAsyncWrite {
      realm.create(RealmDog.self, value: ["name": "Rex"])
      calls += 1
    }
    realm.beginAsyncWrite {
      realm.create(RealmDog.self, value: ["name": "Tom"])
      realm.cancelWrite()
      calls += 1
    }
    realm.beginAsyncWrite {
      realm.create(RealmDog.self, value: ["name": "Max"])
      try? realm.commitWrite()
      calls += 1
    }
    try realm.write { realm.create(RealmDog.self, value: ["name": "Bob"]) }
    await wait(realm)
    #expect(calls == 3 && names(realm) == ["Bob", "Max"] && !realm.isInWriteTransaction)
  }

  @Test(arguments: [false, true]) func whatIsCancelledIsNotCalled(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    var calls: [String] = []
    let first = realm.beginAsyncWrite {
      calls.append("first")
      realm.create(RealmDog.self, value: ["name": "Rex"])
      try? realm.commitWrite()
    }
    try realm.cancelAsyncWrite(first)
    realm.beginAsyncWrite {
      calls.append("second")
      realm.create(RealmDog.self, value: ["name": "Tom"])
      let end = realm.commitAsyncWrite { _ in calls.append("end") }
      try? realm.cancelAsyncWrite(end)
    }
    try realm.cancelAsyncWrite(9999)
    await wait(realm)
    await realm.asyncRefresh()
    #expect(calls == ["second"] && names(realm) == ["Tom"])
  }

  @Test(arguments: [false, true]) func oneIsBegunInsideOfAnother(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    var calls: [String] = []
    realm.beginAsyncWrite {
      calls.append("outer")
      realm.create(RealmDog.self, value: ["name": "Rex"])
      realm.beginAsyncWrite {
        calls.append("inner \(realm.objects(RealmDog.self).count)")
        realm.create(RealmDog.self, value: ["name": "Tom"])
        realm.commitAsyncWrite()
      }
      realm.commitAsyncWrite { _ in calls.append("end") }
    }
    await wait(realm)
    #expect(names(realm) == ["Rex", "Tom"])
    #expect(calls.first == "outer" && Set(calls.dropFirst()) == ["inner 1", "end"])
  }

  @Test(arguments: [false, true]) func writesOfAllKindsAreMixed(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    var end: String?
    realm.beginWrite()
    realm.create(RealmDog.self, value: ["name": "Rex"])
    realm.beginAsyncWrite {
      realm.create(RealmDog.self, value: ["name": "Tom"])
      realm.commitAsyncWrite(allowGrouping: true)
    }
    #expect(realm.isInWriteTransaction)
    realm.commitAsyncWrite { end = $0.map { "\($0)" } ?? "kept" }
    #expect(names(realm).contains("Rex"))
    try realm.write { realm.create(RealmDog.self, value: ["name": "Max"]) }
    realm.writeAsync { realm.create(RealmDog.self, value: ["name": "Bob"]) }
    await wait(realm)
    #expect(names(realm) == ["Bob", "Max", "Rex", "Tom"] && end == "kept")
  }

  @Test(arguments: [false, true]) func failuresAreGivenToTheHandler(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    var codes: [FiefError.Code?] = []
    realm.beginAsyncWrite {
      realm.add(RealmDog(value: ["name": "Rex"]))
      realm.add(RealmDog(value: ["name": "Rex"]))
      realm.commitAsyncWrite { codes.append(($0 as? FiefError)?.code) }
    }
    realm.commitAsyncWrite { codes.append(($0 as? FiefError)?.code) }
    await wait(realm)
    #expect(Set(codes) == [.duplicatePrimaryKey, .transactionEnded] && codes.count == 2 && realm.isEmpty)
    let events = withExpectedEvents { realm.commitAsyncWrite() }
    #expect(events.map { $0.failure?.code } == [.transactionEnded])
  }

  @Test func aStoreThatTakesNoWritesCallsNothing() async throws {
    try open(false).close()
    var configuration = files.configuration()
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration).patient()
    let events = await withExpectedEvents {
      realm.beginAsyncWrite { Issue.record("The closure was called.") }
      await wait(realm)
    }
    #expect(events.map { $0.failure?.code } == [.readOnlyStore])
    realm.close()
    let closed = await withExpectedEvents {
      realm.beginAsyncWrite { Issue.record("The closure was called.") }
      // A closed store has nothing to do; what was left to it is called here.
      while realm.openedCore?.laterWrites.hasAny == true { await Task.yield() }
    }
    #expect(closed.map { $0.failure?.code } == [.storeClosed])
  }

  @Test(arguments: [false, true]) func withoutIsolationItIsAThreadOfTheStores(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    await Self.beginWithoutIsolation(realm)
    #expect(names(realm) == ["Rex"])
  }

  private nonisolated static func beginWithoutIsolation(_ realm: Realm) async {
    await withCheckedContinuation { done in
      Thread {
        realm.beginAsyncWrite {
          realm.add(RealmDog(value: ["name": "Rex"]))
          realm.commitAsyncWrite { error in
            #expect(error == nil)
            done.resume()
          }
        }
      }.start()
    }
  }

  @Test func aStoreIsNeverFrozenAndAlwaysNew() throws {
    let realm = try open(true)
    defer { realm.close() }
    #expect(!realm.isFrozen && realm.thaw() == realm && realm.autorefresh && !realm.refresh())
  }
}
