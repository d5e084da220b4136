import FiefRealm
import FiefTesting
import Foundation
import TestEffort
import Testing

/// Writes that are begun and ended by calls of their own.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct BegunWriteTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func open(_ inMemory: Bool) throws -> Realm {
    var configuration = files.configuration()
    if inMemory { configuration.inMemoryIdentifier = UUID().uuidString }
    return try Realm(configuration: configuration).patient()
  }

  @Test(arguments: [false, true]) func aCommitKeepsAndACancelDoesNot(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    realm.beginWrite()
    #expect(realm.isInWriteTransaction)
    realm.add(RealmDog(value: ["name": "Rex"]))
    #expect(realm.objects(RealmDog.self).count == 1 && !realm.isEmpty)
    realm.cancelWrite()
    #expect(!realm.isInWriteTransaction && realm.isEmpty)
    realm.beginWrite()
    realm.create(RealmDog.self, value: ["name": "Rex", "age": 2])
    try realm.commitWrite()
    #expect(!realm.isInWriteTransaction && realm.objects(RealmDog.self).map(\.age) == [2])
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
  }

  @Test(arguments: [false, true]) func objectsThatAreHeldJoin(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    try realm.write { realm.add(RealmDog(value: ["name": "Rex", "age": 1])) }
    let dog = try #require(realm.objects(RealmDog.self).first)
    realm.beginWrite()
    dog.age = 7
    dog.collar = RealmCollar(value: ["color": "red"])
    #expect(realm.objects(RealmDog.self).filter("age == 7").count == 1)
    try realm.commitWrite()
    #expect(realm.objects(RealmDog.self).first?.collar?.color == "red")
    realm.beginWrite()
    dog.age = 9
    realm.cancelWrite()
    #expect(dog.age == 7 && realm.objects(RealmDog.self).first?.age == 7)
  }

  @Test(arguments: [false, true]) func aSecondBeginningIsReported(inMemory: Bool) throws {
    let realm = try open(inMemory)
    let other = try open(true)
    defer {
      realm.close()
      other.close()
    }
    realm.beginWrite()
    let events = withExpectedEvents {
      realm.beginWrite()
      other.beginWrite()
    }
    #expect(events.map { $0.failure?.code } == [.nestedWrite, .nestedWrite])
    #expect(errorCode { try realm.write { realm.deleteAll() } } == .nestedWrite)
    realm.add(RealmDog(value: ["name": "Rex"]))
    try realm.commitWrite()
    #expect(realm.objects(RealmDog.self).count == 1)
    try realm.write {
      withExpectedEvents { realm.beginWrite() }
      realm.add(RealmDog(value: ["name": "Tom"]))
    }
    #expect(realm.objects(RealmDog.self).count == 2)
  }

  @Test(arguments: [false, true]) func anEndWithoutABeginningIsAnError(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    #expect(errorCode { try realm.commitWrite() } == .transactionEnded)
    let events = withExpectedEvents { realm.cancelWrite() }
    #expect(events.first?.failure?.code == .transactionEnded)
    #expect(errorCode { try realm.write { try realm.commitWrite() } } == .transactionEnded)
  }

  @Test(arguments: [false, true]) func aClosureCancelsItsWrite(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let answer = try realm.write {
      let dog = realm.create(RealmDog.self, value: ["name": "Rex"])
      realm.cancelWrite()
      #expect(!realm.isInWriteTransaction && realm.isEmpty && dog.realm == nil)
      return 7
    }
    #expect(answer == 7 && realm.isEmpty)
    try realm.write { realm.add(RealmDog(value: ["name": "Tom"])) }
    #expect(realm.objects(RealmDog.self).count == 1)
  }

  @Test(arguments: [false, true]) func theFirstFailureIsThrownByTheCommit(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    realm.beginWrite()
    realm.add(RealmDog(value: ["name": "Rex"]))
    realm.add(RealmDog(value: ["name": "Rex"]))
    #expect(errorCode { try realm.commitWrite() } == .duplicatePrimaryKey)
    #expect(realm.isEmpty && !realm.isInWriteTransaction)
    realm.beginWrite()
    realm.add(RealmDog(value: ["name": "Rex"]))
    try realm.commitWrite()
    #expect(realm.objects(RealmDog.self).count == 1)
  }

  @Test(arguments: [false, true]) func otherThreadsWaitForTheEnd(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let writer = OwnThread.begin(realm, "Rex")
    let write = Task { try await realm.write { try $0.add(RealmDog(value: ["name": "Tom"])) } }
    #expect(realm.isEmpty && !realm.isInWriteTransaction)
    writer.end { try realm.commitWrite() }
    try await write.value
    #expect(realm.objects(RealmDog.self).map(\.name).sorted() == ["Rex", "Tom"])
  }

  @Test(arguments: [false, true]) func aThreadThatEndsLeavesNothing(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let events = withExpectedEvents {
      OwnThread.begin(realm, "Rex").end {}
      // The write waits for the end of the thread.
      try? realm.write { realm.add(RealmDog(value: ["name": "Tom"])) }
    }
    #expect(events.contains { $0.failure?.code == .transactionEnded })
    #expect(realm.objects(RealmDog.self).map(\.name) == ["Tom"])
  }

  @Test(arguments: [false, true]) func aStoreThatIsClosedLeavesNothing(inMemory: Bool) throws {
    let realm = try open(inMemory)
    realm.beginWrite()
    realm.add(RealmDog(value: ["name": "Rex"]))
    let events = withExpectedEvents { realm.close() }
    #expect(events.first?.failure?.code == .transactionEnded)
    #expect(errorCode { try realm.commitWrite() } == .storeClosed)
    let again = try open(inMemory)
    defer { again.close() }
    #expect(again.isEmpty)
  }

  @Test func aStoreForReadingOnlyBeginsNone() throws {
    try Realm(configuration: files.configuration()).close()
    var configuration = files.configuration()
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration).patient()
    defer { realm.close() }
    let events = withExpectedEvents { realm.beginWrite() }
    #expect(events.first?.failure?.code == .readOnlyStore)
    #expect(errorCode { try realm.commitWrite() } == .transactionEnded)
  }

  /// The added objects need more space than the map of a new store has.
  @Test(arguments: [false, true]) func thereIsRoomForMuch(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let count = TestEffort.count(1_000, more: 10_000)
    let text = String(repeating: "x", count: 10_000_000 / count)
    realm.beginWrite()
    for number in 0..<count { realm.add(RealmDog(value: ["name": "\(number)", "collar": ["color": text]])) }
    try realm.commitWrite()
    #expect(realm.objects(RealmDog.self).count == count)
  }

  @Test(arguments: [false, true]) func someObservationsAreNotTold(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let counts = Told()
    let (silent, told) = (DispatchQueue(label: "silent"), DispatchQueue(label: "told"))
    let first = realm.objects(RealmDog.self).observe(on: silent) { counts.note("silent", $0) }
    let second = realm.objects(RealmDog.self).observe(on: told) { counts.note("told", $0) }
    await counts.wait { $0["silent"] == [0] && $0["told"] == [0] }
    realm.beginWrite()
    realm.add(RealmDog(value: ["name": "Rex"]))
    try realm.commitWrite(withoutNotifying: [first])
    await counts.wait { $0["told"] == [0, 1] }
    try realm.write { realm.add(RealmDog(value: ["name": "Tom"])) }
    await counts.wait { $0["told"] == [0, 1, 2] && $0["silent"] == [0, 2] }
    first.invalidate()
    second.invalidate()
  }
}

/// The changes that observers got.
private final class Told: @unchecked Sendable {
  // SAFETY: guarded by the lock.
  private var counts: [String: [Int]] = [:]
  private let lock = NSLock()

  func note(_ name: String, _ change: RealmCollectionChange<Results<RealmDog>>) {
    lock.withLock {
      switch change {
      case .initial(let dogs): counts[name, default: []].append(dogs.count)
      case .update(let dogs, _, _, _): counts[name, default: []].append(dogs.count)
      case .error: counts[name, default: []].append(-1)
      }
    }
  }

  func wait(_ isDone: ([String: [Int]]) -> Bool) async {
    while !isDone(lock.withLock { counts }) { await Task.yield() }
  }
}
