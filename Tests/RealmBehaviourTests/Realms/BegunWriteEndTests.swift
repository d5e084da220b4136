import FiefRealm
import FiefTesting
import Foundation
import TestEffort
import Testing

/// The end of writes that were begun with a call of their own that cannot end as usual.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct BegunWriteEndTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func open(_ inMemory: Bool) throws -> Realm {
    var configuration = files.configuration()
    if inMemory { configuration.inMemoryIdentifier = UUID().uuidString }
    return try Realm(configuration: configuration).patient()
  }

  /// A store whose map has space for one megabyte.
  private func openSmall(_ inMemory: Bool) throws -> Realm {
    var repository = TestRepository(
      "small",
      in: inMemory ? nil : files.directory.path,
      memoryType: inMemory ? .inMemory(identifier: UUID().uuidString) : .inStorage,
      objectTypes: [RealmDog.self],
      embedded: [RealmCollar.self]
    )
    repository.storeOptions.initialMapSize = 1 << 20
    let realm = try repository.store().patient()
    try realm.limitBegunWrites { $0.room = 0 }
    return realm
  }

  private static let many = TestEffort.count(1_500, more: 3_000)

  /// Adds objects that need more than a megabyte.
  private func addMany(_ realm: Realm) {
    let text = String(repeating: "x", count: 1000)
    for number in 0..<Self.many {
      realm.add(RealmDog(value: ["name": "\(number)", "collar": ["color": text]]))
    }
  }

  @Test(arguments: [false, true], [false, true])
  func closingWaitsForTheWriteOfAnotherThread(inMemory: Bool, commits: Bool) throws {
    let realm = try open(inMemory)
    let writer = OwnThread.begin(realm, "Rex")
    let closed = DispatchSemaphore(value: 0)
    let events = withExpectedEvents({ $0.failure != nil }) {
      Thread {
        realm.close()
        closed.signal()
      }.start()
      // The store takes no more writes, and waits for the one that goes on.
      while errorCode({ _ = try realm.fetchIsEmpty() }) != .storeClosed { sched_yield() }
      writer.end {
        #expect(realm.isInWriteTransaction && realm.objects(RealmDog.self).count == 1)
        realm.add(RealmDog(value: ["name": "Tom"]))
        if commits { try realm.commitWrite() } else { realm.cancelWrite() }
        #expect(!realm.isInWriteTransaction)
      }
      closed.wait()
    }
    #expect(events.map { $0.failure?.code } == [.transactionEnded])
    if inMemory { return }
    let again = try open(false)
    defer { again.close() }
    #expect(again.objects(RealmDog.self).count == (commits ? 2 : 0))
  }

  @Test(arguments: [false, true]) func anotherThreadEndsNoWrite(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let writer = OwnThread.begin(realm, "Rex")
    let ended = DispatchSemaphore(value: 0)
    do {
      try realm.commitWrite()
      Issue.record("It was committed.")
    } catch {
      let error = try #require(error as? FiefError)
      #expect(error.code == .transactionEnded && error.message.contains("another thread"))
    }
    let events = withExpectedEvents { realm.cancelWrite() }
    #expect(events.map { $0.failure?.code } == [.transactionEnded])
    writer.end {
      try realm.commitWrite()
      ended.signal()
    }
    ended.wait()
    #expect(realm.objects(RealmDog.self).map(\.name) == ["Rex"])
  }

  @Test(arguments: [false, true]) func aWriteThatLastsIsReportedOnce(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    try realm.limitBegunWrites { $0.patience = .milliseconds(1) }
    let codes = Lock<[FiefError.Code?]>([])
    let told = DispatchSemaphore(value: 0)
    let expected: @Sendable (StoreEvent) -> Bool = { event in
      codes.withLock { $0.append(event.failure?.code) }
      told.signal()
      return true
    }
    withExpectedEvents(expected) {
      for name in ["Rex", "Tom", "Max"] {
        realm.beginWrite()
        realm.add(RealmDog(value: ["name": name]))
        told.wait()
        try? realm.commitWrite()
      }
    }
    #expect(codes.withLock { $0 } == [.transactionEnded, .transactionEnded, .transactionEnded])
    #expect(realm.objects(RealmDog.self).count == 3)
  }

  @Test(arguments: [false, true]) func aWriteThatNeedsMoreRoomIsMadeAgain(inMemory: Bool) throws {
    let realm = try openSmall(inMemory)
    defer { realm.close() }
    try realm.write { realm.add(RealmDog(value: ["name": "first", "age": 1])) }
    let first = try #require(realm.objects(RealmDog.self).first)
    realm.beginWrite()
    first.age = 2
    addMany(realm)
    #expect(errorCode { try realm.commitWrite() } == .storeFull)
    #expect(!realm.isInWriteTransaction && realm.objects(RealmDog.self).map(\.age) == [1] && first.age == 1)
    realm.beginWrite()
    addMany(realm)
    realm.cancelWrite()
    #expect(realm.objects(RealmDog.self).count == 1)
    // The map is twice as large after each attempt.
    var attempts = 0
    while realm.objects(RealmDog.self).count == 1, attempts < 10 {
      attempts += 1
      realm.beginWrite()
      first.age = 2
      addMany(realm)
      let code = errorCode { try realm.commitWrite() }
      #expect(code == nil || code == .storeFull)
    }
    #expect(realm.objects(RealmDog.self).count == Self.many + 1 && first.age == 2)
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
  }

  @MainActor @Test(arguments: [false, true]) func aTaskDoesNotWaitForItsOwnWrite(inMemory: Bool) async throws
  {
    let realm = try open(inMemory)
    defer { realm.close() }
    realm.beginWrite()
    realm.add(RealmDog(value: ["name": "Rex"]))
    var code: FiefError.Code?
    do { try await realm.write { try $0.add(RealmDog(value: ["name": "Tom"])) } } catch {
      code = (error as? FiefError)?.code
    }
    #expect(code == .nestedWrite && realm.isInWriteTransaction)
    try realm.commitWrite()
    #expect(realm.objects(RealmDog.self).map(\.name) == ["Rex"])
  }

  @Test(arguments: [false, true]) func aFailureInTheMiddleMayBeCancelled(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    try realm.write { realm.add(RealmDog(value: ["name": "Rex", "age": 1])) }
    let rex = try #require(realm.objects(RealmDog.self).first)
    realm.beginWrite()
    rex.age = 3
    realm.add(RealmDog(value: ["name": "Rex"]))
    realm.cancelWrite()
    #expect(rex.age == 1 && !realm.isInWriteTransaction)
    realm.beginWrite()
    rex.age = 4
    try realm.commitWrite()
    #expect(realm.objects(RealmDog.self).map(\.age) == [4])
  }

  @Test(arguments: [false, true]) func whatWasAddedCanBeAddedAgain(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let dog = RealmDog(value: ["name": "Rex", "age": 2])
    realm.beginWrite()
    realm.add(dog)
    realm.cancelWrite()
    #expect(dog.realm == nil && !dog.isInvalidated && realm.isEmpty)
    try realm.write { realm.add(dog) }
    #expect(dog.realm == realm && realm.objects(RealmDog.self).map(\.age) == [2])
  }

  @Test func aNameOfNoClassMakesNothing() throws {
    let realm = try open(true)
    defer { realm.close() }
    try realm.write {
      let events = withExpectedEvents {
        let none = realm.dynamicCreate("Nothing", value: ["name": "x"])
        none["name"] = "y"
        none.setValue(1, forKeyPath: "name.length")
        #expect(none.realm == nil && none["name"] == nil && none.value(forKey: "name") == nil)
      }
      #expect(events.map { $0.failure?.code }.first == .unknownType)
    }
    #expect(realm.isEmpty)
  }

  /// Changes that the write has made before are not noted for it.
  @Test(arguments: [false, true]) func anObservationThatBeginsInTheMiddleIsTold(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let counts = Lock<[Int]>([])
    let writer = OwnThread.begin(realm, "Rex")
    let token = realm.objects(RealmDog.self).observe(on: DispatchQueue(label: "middle")) { change in
      switch change {
      case .initial(let dogs), .update(let dogs, _, _, _): counts.withLock { $0.append(dogs.count) }
      case .error(let error): Issue.record(error)
      }
    }
    while counts.withLock({ $0 }) != [0] { try await Task.sleep(for: .milliseconds(1)) }
    writer.end { try realm.commitWrite() }
    while counts.withLock({ $0 }) != [0, 1] { try await Task.sleep(for: .milliseconds(1)) }
    token.invalidate()
  }

  @Test func whatUsesOtherStoresOrTheWholeOneIsRefused() throws {
    let realm = try open(false)
    defer { realm.close() }
    let configuration = files.configuration()
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"])) }
    realm.beginWrite()
    realm.add(RealmDog(value: ["name": "Tom"]))
    #expect(errorCode { try Realm.deleteFiles(for: configuration) } == .nestedWrite)
    #expect(errorCode { try realm.writeCopy(toFile: files.url("copy.realm")) } == nil)
    let repositories = ["first", "second"].map {
      TestRepository($0, in: files.directory.path, objectTypes: [RealmDog.self], embedded: [RealmCollar.self])
    }
    defer { repositories.forEach { $0.close() } }
    let manager = StoreManager(repositories: repositories)
    #expect(
      errorCode { try manager.write(to: repositories[0], and: repositories[1]) { _, _ in } } == .nestedWrite
    )
    #expect(errorCode { try repositories[0].saveAndWait(entity: RealmDog()) } == .nestedWrite)
    // Another handle of the store is of the same write.
    let other = try Realm(configuration: configuration).patient()
    #expect(other.isInWriteTransaction && other.objects(RealmDog.self).count == 2)
    try other.commitWrite()
    #expect(!realm.isInWriteTransaction && realm.objects(RealmDog.self).count == 2)
  }

  @Test(arguments: [false, true]) func whatTheQueueDoesIsSeen(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    await withCheckedContinuation { done in
      realm.writeAsync {
        #expect(realm.isPerformingAsynchronousWriteOperations)
        realm.add(RealmDog(value: ["name": "Rex"]))
      } onComplete: { error in
        #expect(error == nil)
        done.resume()
      }
    }
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    realm.beginWrite()
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    realm.cancelWrite()
  }
}
